// verdict: =wrong
// from: ladder/persistent/02_launch_all.cu
// Works on the whole capacity, whatever the count says.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per item.
__global__ void work_kernel(unsigned capacity, const int* rounds, unsigned* values) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < capacity) values[i] = work(values[i], rounds[i]);
}

}  // namespace

void persistent(int capacity, const int*, const int* rounds, unsigned* values, Workspace&) {
  if (capacity == 0) return;
  work_kernel<<<ceil_div(capacity, kBlockSize), kBlockSize>>>(capacity, rounds, values);
  CUDA_CHECK(cudaGetLastError());
}
