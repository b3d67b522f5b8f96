// The allocation functions for typed pointers: cudaMalloc(&d_x, bytes) with float* d_x.
#pragma once

#include "../cuda_runtime_api.h"

namespace cudacpu {
// Also accepts a const T, as in `const float* d_x`.
template <typename T>
CUDACPU_HOST_DEVICE void** untyped(T** pointer) {
  return (void**)pointer;
}
}  // namespace cudacpu

template <typename T>
CUDACPU_HOST_DEVICE cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(cudacpu::untyped(pointer), bytes);
}
template <typename T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes) {
  return cudaMallocHost(cudacpu::untyped(pointer), bytes);
}
template <typename T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(cudacpu::untyped(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(cudacpu::untyped(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned int flags) {
  return cudaHostGetDevicePointer(cudacpu::untyped(device_pointer), host_pointer, flags);
}
template <typename T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(cudacpu::untyped(pointer), bytes, flags);
}
template <typename T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(cudacpu::untyped(pointer), pitch, width, height);
}
template <typename T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(cudacpu::untyped(pointer), bytes, stream);
}
template <typename T>
cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return cudaMallocFromPoolAsync(cudacpu::untyped(pointer), bytes, pool, stream);
}
template <typename T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t bytes = 0,
                                     unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), bytes, flags);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
