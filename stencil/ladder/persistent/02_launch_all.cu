// Rung 2: as many threads as the capacity has items.
//
//   make check-stencil WITH=ladder/persistent/02_launch_all.cu
//
// Idea: launch for the capacity and let each thread compare its index with the count on the device.
// Expect: no wait for the host. The blocks behind the last item are started for nothing, which is
// cheap unless many times more blocks are empty than full. A block keeps its place until the
// slowest item is done.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item.
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned end = *count;
  if (i < end) values[i] = work(values[i], rounds[i]);
}

}  // namespace

void persistent(int capacity, const int* count, const int* rounds, unsigned* values, Workspace&) {
  if (capacity == 0) return;
  work_kernel<<<ceil_div(capacity, kBlockSize), kBlockSize>>>(count, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}
