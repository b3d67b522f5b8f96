// The driver API's devices, errors and memory, by way of the runtime's.
#include <algorithm>
#include <cstdio>

#include "common/core.h"
#include "cuda.h"
#include "driver/result.h"

using cudacpu::pointer_to;
using cudacpu::result;

namespace {

// Allocates by a function of the runtime API, which gets where to put the pointer.
template <typename Allocate>
CUresult allocate(CUdeviceptr* pointer, size_t bytes, Allocate allocate_to) {
  if (!pointer || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* memory;
  const cudaError_t error = allocate_to(&memory);
  if (error == cudaSuccess) *pointer = reinterpret_cast<uintptr_t>(memory);
  return result(error);
}

}  // namespace

CUresult cuInit(unsigned int flags) {
  return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int* version) {
  return result(cudaDriverGetVersion(version));
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = cudaGetErrorName(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  return result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  *device = ordinal;
  return cudacpu::is_device(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  if (!name || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp properties;
  if (cudaError_t error = cudaGetDeviceProperties(&properties, device)) return result(error);
  snprintf(name, static_cast<size_t>(length), "%s", properties.name);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return result(cudaDeviceGetAttribute(value, attribute, device));
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult status =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (status != CUDA_SUCCESS) return status;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return result(cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  if (!cudacpu::is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = cudacpu::total_memory();
  return CUDA_SUCCESS;
}

CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return result(cudaMemGetInfo(free_bytes, total_bytes));
}

CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {
  return allocate(pointer, bytes, [&](void** memory) { return cudaMalloc(memory, bytes); });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
  return allocate(pointer, bytes,
                  [&](void** memory) { return cudaMallocManaged(memory, bytes, flags); });
}

CUresult cuMemFree(CUdeviceptr pointer) {
  return result(cudaFree(pointer_to<void>(pointer)));
}

CUresult cuMemAllocHost(void** pointer, size_t bytes) {
  return result(cudaMallocHost(pointer, bytes));
}

CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return result(cudaHostAlloc(pointer, bytes, flags));
}

CUresult cuMemFreeHost(void* pointer) {
  return result(cudaFreeHost(pointer));
}

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  const cudacpu::Location found = cudacpu::locate(pointer_to<void>(pointer));
  if (found.place == cudacpu::Place::kPageable || found.place == cudacpu::Place::kNowhere) {
    return CUDA_ERROR_NOT_FOUND;
  }
  if (base) *base = reinterpret_cast<uintptr_t>(found.base);
  if (bytes) *bytes = found.bytes;
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD(CUdeviceptr destination, const void* source, size_t bytes) {
  return result(cudaMemcpy(pointer_to<void>(destination), source, bytes, cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void* destination, CUdeviceptr source, size_t bytes) {
  return result(cudaMemcpy(destination, pointer_to<void>(source), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr destination, CUdeviceptr source, size_t bytes) {
  return result(cudaMemcpy(pointer_to<void>(destination), pointer_to<void>(source), bytes,
                           cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr destination, const void* source, size_t bytes,
                           CUstream stream) {
  return result(cudaMemcpyAsync(pointer_to<void>(destination), source, bytes,
                                cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void* destination, CUdeviceptr source, size_t bytes, CUstream stream) {
  return result(cudaMemcpyAsync(destination, pointer_to<void>(source), bytes,
                                cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes,
                           CUstream stream) {
  return result(cudaMemcpyAsync(pointer_to<void>(destination), pointer_to<void>(source), bytes,
                                cudaMemcpyDeviceToDevice, stream));
}

CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count) {
  return result(cudaMemset(pointer_to<void>(pointer), value, count));
}

CUresult cuMemsetD32(CUdeviceptr pointer, unsigned int value, size_t count) {
  unsigned int* words = pointer_to<unsigned int>(pointer);
  return result(cudacpu::api_in_default_stream([&] {
    using cudacpu::Side;
    if (count > SIZE_MAX / sizeof(*words) ||
        !cudacpu::check_range("cuMemsetD32", "destination", words, count * sizeof(*words),
                              Side::kDevice)) {
      return cudaErrorInvalidValue;
    }
    std::fill_n(words, count, value);
    return cudaSuccess;
  }));
}

CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
