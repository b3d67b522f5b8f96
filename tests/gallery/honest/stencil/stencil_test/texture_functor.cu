// verdict: =ok speed=0..1
// The stencil behind a class with an operator; a warp shares a word by a shuffle.
#include "cuda_check.h"
#include "stencil.h"
namespace {
constexpr int kThreads = 128;
class IsActive {
  cudaTextureObject_t t_;

 public:
  explicit IsActive(const Stencil& s) : t_(s.texture) {}
  __device__ bool operator()(int i) const {
    return tex1Dfetch<unsigned>(t_, i >> 5) >> (i & 31) & 1u;
  }
};
__global__ void work_kernel(int n, IsActive active, int rounds, unsigned* values) {
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
    if (active(i)) values[i] = work(values[i], rounds);
}
}  // namespace
void stencil_test(int n, Stencil active, int rounds, unsigned* values, Workspace&) {
  if (!n) return;
  work_kernel<<<ceil_div(n, kThreads), kThreads>>>(n, IsActive{active}, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}
