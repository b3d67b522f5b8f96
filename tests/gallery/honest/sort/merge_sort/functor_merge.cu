// verdict: =ok speed=0..1
// A merge sort with a comparison functor as template parameter and a ping-pong structure.
#include "cuda_check.h"
#include "sort.h"
namespace {
constexpr int kThreads = 256;
struct Less {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
struct Pairs {
  unsigned *keys, *values;
};
struct PingPong {
  Pairs at[2];
  int now = 0;
  Pairs& from() { return at[now]; }
  Pairs& to() { return at[now ^ 1]; }
  void swap() { now ^= 1; }
};
template <class Compare>
__device__ int rank_in(const unsigned* keys, int first, int last, unsigned key, bool after_equal,
                       Compare less) {
  while (first < last) {
    const int middle = first + (last - first) / 2;
    const bool before = after_equal ? !less(key, keys[middle]) : less(keys[middle], key);
    (before ? first : last) = before ? middle + 1 : middle;
  }
  return first;
}
template <class Compare>
__global__ void merge_kernel(Pairs from, Pairs to, int n, int width, Compare less) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  const int low = i & ~(2 * width - 1), middle = min(low + width, n),
            high = min(low + 2 * width, n);
  const unsigned key = from.keys[i];
  const bool left = i < middle;
  const int place = left ? i + rank_in(from.keys, middle, high, key, false, less) - middle
                         : i - middle + rank_in(from.keys, low, middle, key, true, less);
  to.keys[place] = key;
  to.values[place] = from.values[i];
}
}  // namespace
void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n < 2) return;
  PingPong p{{{keys, values}, {workspace.take<unsigned>(n), workspace.take<unsigned>(n)}}};
  for (int width = 1; width < n; width *= 2, p.swap())
    merge_kernel<<<ceil_div(n, kThreads), kThreads>>>(p.from(), p.to(), n, width, Less{});
  if (p.now) {
    CUDA_CHECK(cudaMemcpyAsync(keys, p.from().keys, n * sizeof *keys, cudaMemcpyDefault));
    CUDA_CHECK(cudaMemcpyAsync(values, p.from().values, n * sizeof *values, cudaMemcpyDefault));
  }
  CUDA_CHECK(cudaGetLastError());
}
