// A kernel's Thrust algorithm cannot call a function of the host.
// needs: clang
// reject: tests/cudalibs/reject/host_functor.cu:@a:
// reject: operator()
#include <thrust/count.h>
#include <thrust/execution_policy.h>
struct IsEven {
  bool operator()(int x) const { return x % 2 == 0; }  // @a
};
__global__ void k(const int* x, long* out) {
  *out = thrust::count_if(thrust::seq, x, x + 8, IsEven());
}
int main() {
  k<<<1, 1>>>(nullptr, nullptr);
}
