// verdict: =ok
// Names that depend on template parameters, with typename and template as C++ demands.
#include "saxpy.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

struct Policy {
  using Value = float;
  template <class T>
  struct Rebound {
    template <int kFactor>
    static __device__ T times(T value) {
      return kFactor * value;
    }
  };
};

// A thread per element.
template <class P>
__global__ void saxpy_kernel(int n, typename P::Value scale, const typename P::Value* x,
                             const typename P::Value* y, typename P::Value* result) {
  using Rebound = typename P::template Rebound<typename P::Value>;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = Rebound::template times<1>(scale) * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<Policy><<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}
