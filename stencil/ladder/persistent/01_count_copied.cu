// Rung 1: the host asks for the count and launches as many threads.
//
//   make check-stencil WITH=ladder/persistent/01_count_copied.cu
//
// Idea: a launch needs its size, the size is on the device, so copy the size. Expect: the right
// number of blocks, and a copy of 4 bytes that takes longer than many a kernel: the host waits
// until all work before the copy is done, and the device then waits for the host.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item.
__global__ void work_kernel(unsigned count, const int* rounds, unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < count) values[i] = work(values[i], rounds[i]);
}

}  // namespace

void persistent(int, const int* count, const int* rounds, unsigned* values, Workspace&) {
  int on_host = 0;
  CUDA_CHECK(cudaMemcpy(&on_host, count, sizeof on_host, cudaMemcpyDeviceToHost));
  if (on_host == 0) return;
  work_kernel<<<ceil_div(on_host, kBlockSize), kBlockSize>>>(on_host, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}
