// Latches and semaphores of a block: a thread reads after all threads have written, and at most two
// threads hold the semaphore at any time.
// expect: 2016 64 2
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/utility>

#include <cstdio>

using Latch = cuda::latch<cuda::thread_scope_block>;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 2>;

__global__ void meet_kernel(int* out) {
  __shared__ alignas(Latch) char latch_place[sizeof(Latch)];
  __shared__ alignas(Semaphore) char semaphore_place[sizeof(Semaphore)];
  Latch& all_wrote = *reinterpret_cast<Latch*>(latch_place);
  Semaphore& places = *reinterpret_cast<Semaphore*>(semaphore_place);
  __shared__ int written[64], inside, most, visits;
  if (threadIdx.x == 0) {
    new (&all_wrote) Latch(blockDim.x);
    new (&places) Semaphore(2);
    inside = most = visits = 0;
  }
  __syncthreads();
  written[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) {
    all_wrote.arrive_and_wait();
    int sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += written[i];
    out[0] = sum;
  } else {
    all_wrote.count_down();
  }
  places.acquire();
  atomicMax(&most, atomicAdd(&inside, 1) + 1);
  __nanosleep(100);
  atomicAdd(&visits, 1);
  atomicSub(&inside, 1);
  places.release();
  __syncthreads();
  if (threadIdx.x == 0) {
    out[1] = visits;
    out[2] = most <= 2 ? 2 : most;
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 3 * sizeof(int));
  meet_kernel<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[1], out[2]);
  cudaFree(out);
}
