// Threads wait for a clock at the same time, as on a GPU, and not in turn
// expect: done
#include <chrono>

#include "check.h"

__global__ void wait_kernel(long long ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < static_cast<unsigned long long>(ns));
}

__global__ void count_kernel(long long ticks, int* waited) {
  const long long begin = clock64();
  while (clock64() - begin < ticks) {
  }
  atomicAdd(waited, 1);
}

template <typename Function>
double seconds(Function function) {
  const auto begin = std::chrono::steady_clock::now();
  function();
  CHECK_OK(cudaDeviceSynchronize());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main() {
  // In turn, 1024 waits of 50 ms would take 51 s.
  CHECK(seconds([] { wait_kernel<<<1, 1024>>>(50000000); }) < 20);
  int* waited;
  CHECK_OK(cudaMallocManaged(&waited, sizeof(int)));
  *waited = 0;
  CHECK(seconds([=] { count_kernel<<<2, 512>>>(100000000, waited); }) < 20);
  CHECK(*waited == 1024);
  CHECK_OK(cudaFree(waited));
  printf("done\n");
}
