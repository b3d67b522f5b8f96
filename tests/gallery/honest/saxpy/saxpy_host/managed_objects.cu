// verdict: =ok speed=0..1
// Objects in managed memory, by operators new and delete of the class.
#include "saxpy.h"

#include <cstring>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct Managed {
  static void* operator new(size_t bytes) {
    void* memory = nullptr;
    CUDA_CHECK(cudaMallocManaged(&memory, bytes));
    return memory;
  }
  static void operator delete(void* memory) { cudaFree(memory); }
};
struct Problem : Managed {
  int n;
  float scale;
  float *x, *y;
};

// A thread per element.
__global__ void saxpy_kernel(Problem* problem) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < problem->n) problem->y[i] += problem->scale * problem->x[i];
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  auto* problem = new Problem;
  problem->n = n;
  problem->scale = scale;
  CUDA_CHECK(cudaMallocManaged(&problem->x, bytes));
  CUDA_CHECK(cudaMallocManaged(&problem->y, bytes));
  std::memcpy(problem->x, x, bytes);
  std::memcpy(problem->y, y, bytes);
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(problem);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::memcpy(result, problem->y, bytes);
  CUDA_CHECK(cudaFree(problem->x));
  CUDA_CHECK(cudaFree(problem->y));
  delete problem;
}
