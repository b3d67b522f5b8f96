// verdict: =ok cpu-speed=0..0.8 gpu-speed=0..1
// Each thread sorts 64 pairs in private arrays, at indices that depend on the keys: local memory
// on a GPU, and no registers. The rest is merged by ranks.
#include "sort.h"

#include <utility>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kSmallBlock = 64;
constexpr int kPairs = 64;

// A thread per kPairs pairs.
__global__ void sort_kernel(unsigned* keys, unsigned* values, int n) {
  const int begin = (blockIdx.x * kSmallBlock + threadIdx.x) * kPairs;
  if (begin >= n) return;
  const int count = min(n - begin, kPairs);
  unsigned key[kPairs], value[kPairs], merged_key[kPairs], merged_value[kPairs];
  for (int i = 0; i < count; ++i) {
    key[i] = keys[begin + i];
    value[i] = values[begin + i];
  }
  for (int width = 1; width < kPairs; width *= 2) {
    for (int low = 0; low < count; low += 2 * width) {
      const int middle = min(low + width, count);
      const int high = min(low + 2 * width, count);
      int left = low;
      int right = middle;
      for (int i = low; i < high; ++i) {
        const bool is_left = left < middle && (right >= high || key[left] <= key[right]);
        const int from = is_left ? left++ : right++;
        merged_key[i] = key[from];
        merged_value[i] = value[from];
      }
    }
    for (int i = 0; i < count; ++i) {
      key[i] = merged_key[i];
      value[i] = merged_value[i];
    }
  }
  for (int i = 0; i < count; ++i) {
    keys[begin + i] = key[i];
    values[begin + i] = value[i];
  }
}

// A thread per pair, which goes behind the smaller pairs of the other run.
__global__ void merge_kernel(const unsigned* keys, const unsigned* values, unsigned* out_keys,
                             unsigned* out_values, int n, int width) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n) return;
  const int low = i / (2 * width) * 2 * width;
  const int middle = min(low + width, n);
  const bool is_left = i < middle;
  const unsigned key = keys[i];
  const int other = is_left ? middle : low;
  int first = other;
  int last = is_left ? min(low + 2 * width, n) : middle;
  while (first < last) {
    const int between = (first + last) / 2;
    const bool before = is_left ? keys[between] < key : keys[between] <= key;
    if (before) {
      first = between + 1;
    } else {
      last = between;
    }
  }
  const int own = is_left ? i - low : i - middle;
  const int place = low + own + (first - other);
  out_keys[place] = key;
  out_values[place] = values[i];
}

}  // namespace

void merge_sort(unsigned* keys, unsigned* values, int n, Workspace& workspace) {
  if (n < 2) return;
  const int threads = ceil_div(n, kPairs);
  sort_kernel<<<ceil_div(threads, kSmallBlock), kSmallBlock>>>(keys, values, n);
  unsigned* from_keys = keys;
  unsigned* from_values = values;
  unsigned* to_keys = workspace.take<unsigned>(n);
  unsigned* to_values = workspace.take<unsigned>(n);
  for (int width = kPairs; width < n; width *= 2) {
    merge_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(from_keys, from_values, to_keys,
                                                          to_values, n, width);
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
  }
  if (from_keys != keys) {
    const size_t bytes = n * sizeof(unsigned);
    CUDA_CHECK(cudaMemcpyAsync(keys, from_keys, bytes, cudaMemcpyDeviceToDevice));
    CUDA_CHECK(cudaMemcpyAsync(values, from_values, bytes, cudaMemcpyDeviceToDevice));
  }
  CUDA_CHECK(cudaGetLastError());
}
