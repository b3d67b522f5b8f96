// Flags between the host and a running kernel: volatile on both sides they are no race, plain on
// a side they are. (The kernels end without the flag too, since they run before the host goes
// on.)
// finding: race @a @b
// finding: race @c @d
#include "launch.h"

constexpr int kPatience = 10;

__global__ void wait_for_host(volatile int* flag, volatile int* progress) {
  for (int i = 0; i < kPatience && *flag == 0; ++i)
    *progress = i;
}

__global__ void wait_without_volatile(const int* flag, int* progress) {
  for (int i = 0; i < kPatience && *flag == 0; ++i)  // @b
    *progress = i;                                   // @d
}

int main() {
  int *flag, *progress;
  cudaMallocHost(&flag, sizeof(int));
  cudaMallocHost(&progress, sizeof(int));
  volatile int* const of_host = flag;
  const volatile int* const seen = progress;
  *flag = *progress = 0;
  wait_for_host<<<1, 1>>>(flag, progress);
  int sum = *seen;
  *of_host = 1;
  cudaDeviceSynchronize();
  *flag = 0;
  wait_without_volatile<<<1, 1>>>(flag, progress);
  *of_host = 1;  // @a
  sum += *seen;  // @c
  cudaDeviceSynchronize();
  cudaFreeHost(flag);
  cudaFreeHost(progress);
  return sum == 0;
}
