// verdict: =ok case=2^20 cpu-speed=0..0.72 gpu-speed=0..1
// Copies between pageable and pinned memory in host functions of the stream: a model that ignores
// the functions' place in the stream lets the functions run while the device works.
#include "saxpy.h"

#include <cstring>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

struct Copy {
  void* to;
  const void* from;
  size_t bytes;
};

void run(void* untyped) {
  const Copy& copy = *static_cast<const Copy*>(untyped);
  std::memcpy(copy.to, copy.from, copy.bytes);
}

// Kept from call to call.
float* device = nullptr;
float* pinned = nullptr;
size_t room = 0;

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const size_t count = n;
  const size_t bytes = count * sizeof(float);
  if (room < 3 * bytes) {
    CUDA_CHECK(cudaFree(device));
    CUDA_CHECK(cudaFreeHost(pinned));
    CUDA_CHECK(cudaMalloc(&device, 3 * bytes));
    CUDA_CHECK(cudaMallocHost(&pinned, 3 * bytes));
    room = 3 * bytes;
  }
  Copy copies[] = {
      {pinned, x, bytes}, {pinned + count, y, bytes}, {result, pinned + 2 * count, bytes}};
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));
  CUDA_CHECK(cudaLaunchHostFunc(stream, run, &copies[0]));
  CUDA_CHECK(cudaLaunchHostFunc(stream, run, &copies[1]));
  CUDA_CHECK(cudaMemcpyAsync(device, pinned, 2 * bytes, cudaMemcpyHostToDevice, stream));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize, 0, stream>>>(n, scale, device, device + count,
                                                                   device + 2 * count);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(pinned + 2 * count, device + 2 * count, bytes, cudaMemcpyDeviceToHost,
                             stream));
  CUDA_CHECK(cudaLaunchHostFunc(stream, run, &copies[2]));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaStreamDestroy(stream));
}
