// verdict: =build_error compiler_s=2
// Types that double in length, thirty times: the compiler does not end.
#include "saxpy.h"

#include <utility>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

template <int N, class T>
struct Pair : Pair<N - 1, std::pair<T, T*>>, Pair<N - 1, std::pair<T*, T>> {};
template <class T>
struct Pair<0, T> {};
Pair<24, int> bomb;

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}
