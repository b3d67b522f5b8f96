// Clocks, and the special registers that only PTX can name.
// expect: done
#include <ctime>

#include "check.h"

__global__ void clocks_kernel(unsigned* out) {
  const clock_t start = clock();
  const long long start64 = clock64();
  unsigned long long before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  do {
    __nanosleep(1000);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  } while (after - before < 2000000);
  CHECK(clock64() - start64 > 100000 && clock() - start > 100000);  // of 2 ms
  unsigned lane, below, multiprocessor;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  CHECK(lane == threadIdx.x % 32 && __popc(below) == static_cast<int>(lane));
  atomicAdd(out, multiprocessor);
}

int main() {
  unsigned* sum;
  CHECK_OK(cudaMallocManaged(&sum, sizeof(*sum)));
  *sum = 0;
  const std::clock_t start = std::clock();  // of the host: processor time
  clocks_kernel<<<8, 2>>>(sum);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*sum == 2 * 28 && clock() - start < 10 * CLOCKS_PER_SEC);
  printf("done\n");
}
