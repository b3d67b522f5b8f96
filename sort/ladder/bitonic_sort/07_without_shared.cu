// Rung 7: beside the ladder, rung 5 without shared memory.
//
//   make check-sort PART=bitonic_sort WITH=ladder/bitonic_sort/07_without_shared.cu
//
// Idea: some processors have no shared memory, and a comparison shows what shared memory is good
// for. Launches of four, three, two steps and a single step (B16, B8, B4 and B2) do everything.
// Expect: the last steps of a stage are few launches more, but the distances are short: where a
// thread's sixteen pairs are neighbours, a warp's first load touches 32 lines.
#include "cuda_check.h"
#include "sort.h"
#include "total_order.h"

namespace {

constexpr int kLastKey = 0x7FFFFFFF;  // the largest key of the total order
constexpr int kBlockSize = 256;

// Exchanges two of a thread's pairs if the first key is larger than the second.
__device__ void order(int* keys, unsigned* indices, int first, int second) {
  if (keys[first] <= keys[second]) return;
  const int key = keys[first];
  keys[first] = keys[second];
  keys[second] = key;
  const unsigned index = indices[first];
  indices[first] = indices[second];
  indices[second] = index;
}

// kSteps steps, at `distance`, half the distance, and so on. A thread per 2^kSteps pairs, which
// meet in the steps and meet no others, so a thread needs no other thread. Where the first step is
// mirrored, a thread holds the upper half of the pairs in descending order of index.
template <int kSteps, bool kMirrored>
__global__ void steps_kernel(int* keys, unsigned* indices, size_t n, size_t distance) {
  constexpr int kItems = 1 << kSteps;
  const size_t thread = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  const size_t nearest = distance >> (kSteps - 1);
  const size_t within = thread & (nearest - 1);
  const size_t first = (thread - within) * kItems + within;
  if (first >= n) return;
  const auto in_memory = [&](int i) {
    const size_t at = first + i * nearest;
    return kMirrored && i >= kItems / 2 ? at ^ (distance - 1) : at;
  };

  int own_keys[kItems];
  unsigned own_indices[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const size_t at = in_memory(i);
    own_keys[i] = at < n ? total_order(keys[at]) : kLastKey;
    own_indices[i] = at < n ? indices[at] : 0;
  }
#pragma unroll
  for (int apart = kItems / 2; apart > 0; apart /= 2) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i & apart) continue;
      const bool turned = kMirrored && apart < kItems / 2 && i >= kItems / 2;
      order(own_keys, own_indices, turned ? i + apart : i, turned ? i : i + apart);
    }
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const size_t at = in_memory(i);
    if (at >= n) continue;
    keys[at] = total_order(own_keys[i]);
    indices[at] = own_indices[i];
  }
}

template <int kSteps>
void steps(int* keys, unsigned* indices, size_t n, size_t distance, bool mirrored) {
  const size_t threads = ceil_div(n, 2 * distance) * (distance >> (kSteps - 1));
  const auto blocks = static_cast<unsigned>(ceil_div(threads, kBlockSize));
  // clang-format off
  if (mirrored) {
    steps_kernel<kSteps, true><<<blocks, kBlockSize>>>(keys, indices, n, distance);
  } else {
    steps_kernel<kSteps, false><<<blocks, kBlockSize>>>(keys, indices, n, distance);
  }
  // clang-format on
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void bitonic_sort(float* keys, unsigned* indices, int n, Workspace&) {
  auto* bits = reinterpret_cast<int*>(keys);
  const auto size = static_cast<size_t>(n);
  for (size_t half = 1; half < size; half *= 2) {
    size_t distance = half;
    while (distance > 0) {
      const bool mirrored = distance == half;
      if (distance >= 8) {
        steps<4>(bits, indices, size, distance, mirrored);
        distance >>= 4;
      } else if (distance >= 4) {
        steps<3>(bits, indices, size, distance, mirrored);
        distance >>= 3;
      } else if (distance >= 2) {
        steps<2>(bits, indices, size, distance, mirrored);
        distance >>= 2;
      } else {
        steps<1>(bits, indices, size, distance, mirrored);
        distance >>= 1;
      }
    }
  }
}
