// verdict: =ok speed=0..1
// A queue class in the workspace hands out items; threads loop for(;;) until no item is left.
#include "cuda_check.h"
#include "stencil.h"
namespace {
constexpr int kThreads = 128;
class Queue {
  unsigned next_;

 public:
  __device__ void clear() { next_ = 0; }
  __device__ unsigned take(unsigned n) { return atomicAdd(&next_, n); }
};
__global__ void clear_kernel(Queue* q) {
  q->clear();
}
__global__ void work_kernel(const int* count, const int* rounds, unsigned* values, Queue* q) {
  const unsigned n = *count;
  for (;;) {
    unsigned first = 0;
    if (threadIdx.x % 32 == 0) first = q->take(32);
    first = __shfl_sync(~0u, first, 0);
    if (first >= n) break;
    const unsigned i = first + threadIdx.x % 32;
    if (i < n) values[i] = work(values[i], rounds[i]);
  }
}
}  // namespace
void persistent(int capacity, const int* count, const int* rounds, unsigned* values,
                Workspace& workspace) {
  if (capacity == 0) return;
  Queue* q = workspace.take<Queue>(1);
  int device = 0, processors = 0, blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work_kernel, kThreads, 0));
  clear_kernel<<<1, 1>>>(q);
  work_kernel<<<processors * blocks, kThreads>>>(count, rounds, values, q);
  CUDA_CHECK(cudaGetLastError());
}
