// verdict: =ok
// SFINAE, a custom trait, decltype(auto), a template template parameter and a virtual-like tag.
#include <type_traits>
#include "cuda_check.h"
#include "saxpy.h"
namespace {
template <class T, class = void>
struct has_apply : std::false_type {};
template <class T>
struct has_apply<T, std::void_t<decltype(&T::apply)>> : std::true_type {};
struct Fused {
  static __device__ float apply(float a, float b, float c) { return fmaf(a, b, c); }
};
template <class T, std::enable_if_t<has_apply<T>::value, int> = 0>
__device__ decltype(auto) run(float a, float b, float c) {
  return T::apply(a, b, c);
}
template <template <class> class Holder, class T>
__global__ void saxpy_kernel(Holder<T> h, const T* x, const T* y, T* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h.n) result[i] = run<Fused>(h.scale, x[i], y[i]);
}
template <class T>
struct Job {
  int n;
  T scale;
};
}  // namespace
void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, 256), 256>>>(Job<float>{n, scale}, x, y, result);
  CUDA_CHECK(cudaGetLastError());
}
