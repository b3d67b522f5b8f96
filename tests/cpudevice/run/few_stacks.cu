// Blocks that wait for earlier blocks, with many more workers than processors: a worker whose
// blocks wait starts another worker only if no other worker goes on, since the threads of each take
// memory for their stacks
// environment: CUDACPU_WORKERS=16
// expect: done
#include <cstdio>
#include <cstring>

#include "check.h"

constexpr int kThreads = 256, kBlocks = 2000, kRounds = 200;

__global__ void chain_kernel(volatile int* done, float* out) {
  __shared__ float part[kThreads];
  float x = threadIdx.x;
  for (int i = 0; i < kRounds; ++i)
    x = x * 0.5f + i;
  part[threadIdx.x] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (blockIdx.x > 0 && !done[blockIdx.x - 1])
      __nanosleep(20);
    __threadfence();
    done[blockIdx.x] = 1;
  }
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = part[kThreads - 1 - threadIdx.x];
}

// What the process may write to, in MB; 0 where the system does not say.
long writable_mb() {
  FILE* file = fopen("/proc/self/status", "r");
  char line[256];
  long kb = 0;
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "VmData:", 7) == 0) sscanf(line + 7, "%ld", &kb);
  }
  if (file) fclose(file);
  return kb / 1024;
}

int main() {
  int* done;
  float* out;
  CHECK_OK(cudaMalloc(&done, kBlocks * sizeof *done));
  CHECK_OK(cudaMalloc(&out, kBlocks * kThreads * sizeof *out));
  const long before = writable_mb();
  for (int launch = 0; launch < 5; ++launch) {
    CHECK_OK(cudaMemset(done, 0, kBlocks * sizeof *done));
    chain_kernel<<<kBlocks, kThreads>>>(done, out);
    CHECK_OK(cudaDeviceSynchronize());
  }
  const long more = writable_mb() - before;
  if (more >= 3000) printf("%ld MB for stacks\n", more);
  CHECK_OK(cudaFree(done));
  CHECK_OK(cudaFree(out));
  printf("done\n");
}
