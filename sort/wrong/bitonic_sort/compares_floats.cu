// verdict: =wrong
// from: ladder/bitonic_sort/01_one_step_per_launch.cu
// Compares keys as floats. No comparison with a NaN holds, and -0 equals +0.
#include "cuda_check.h"
#include "sort.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per comparator: of two elements at `distance`, or, where mirrored, of elements that
// mirror each other in a run of twice the distance.
__global__ void step_kernel(int* keys, unsigned* indices, size_t n, size_t distance,
                            bool mirrored) {
  const size_t thread = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t within = thread & (distance - 1);
  const size_t low = 2 * (thread - within) + within;
  const size_t high = (low ^ (mirrored ? distance - 1 : 0)) + distance;
  if (low >= n || high >= n) return;
  const int low_key = keys[low];
  const int high_key = keys[high];
  if (__int_as_float(low_key) <= __int_as_float(high_key)) return;
  keys[low] = high_key;
  keys[high] = low_key;
  const unsigned low_index = indices[low];
  indices[low] = indices[high];
  indices[high] = low_index;
}

}  // namespace

void bitonic_sort(float* keys, unsigned* indices, int n, Workspace&) {
  auto* bits = reinterpret_cast<int*>(keys);
  const auto size = static_cast<size_t>(n);
  for (size_t half = 1; half < size; half *= 2) {
    for (size_t distance = half; distance > 0; distance /= 2) {
      const size_t comparators = ceil_div(size, 2 * distance) * distance;
      const auto blocks = static_cast<unsigned>(ceil_div(comparators, kBlockSize));
      step_kernel<<<blocks, kBlockSize>>>(bits, indices, size, distance, distance == half);
      CUDA_CHECK(cudaGetLastError());
    }
  }
}
