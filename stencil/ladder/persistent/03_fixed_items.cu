// Rung 3: eight items per thread.
//
//   make check-stencil WITH=ladder/persistent/03_fixed_items.cu
//
// Idea: the usual way before atomics came: a loop of fixed length in each thread, so that an
// eighth of the blocks is started and a thread with short items does not end at once. Expect: less
// for starting blocks; uneven work is spread worse, since eight items in a row are one thread's.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kItems = 8;  // per thread

// A thread per kItems items, kBlockSize apart.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values) {
  const unsigned first = blockIdx.x * kItems * kBlockSize + threadIdx.x;
  const unsigned end = *count;
  for (int k = 0; k < kItems; ++k) {
    const unsigned i = first + k * kBlockSize;
    if (i < end) values[i] = work(values[i], rounds[i]);
  }
}

}  // namespace

void persistent(int capacity, const int* count, const int* rounds, unsigned* values, Workspace&) {
  if (capacity == 0) return;
  work_kernel<<<ceil_div(capacity, kItems * kBlockSize), kBlockSize>>>(count, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}
