// Threads that follow each other from barrier to barrier and from block to block, and what disturbs
// their turns: some end, some vote or shuffle, some never wait, another barrier, time slices.
// environment: CUDACPU_TICK=0.0005
// expect: steady 1
// expect: some end 1
// expect: some never wait 1
// expect: two barriers 1
// expect: warps between 1
// expect: votes between 1
// expect: deadlock cudaErrorLaunchTimeout
// stderr: kernel deadlock, block (0,0,0): nothing can run any more: thread 0 waits in __syncwarp() with mask 0x00000003 at tests/cpudevice/fault/turns.cu:@a; threads 1-31 wait in __syncthreads() at tests/cpudevice/fault/turns.cu:@b
#include <cstdio>

constexpr int kBlocks = 300, kThreads = 96;

// How often each thread of the block has come by, seen by the others.
__device__ int gather(const int* counts) {
  int sum = 0;
  for (int t = 0; t < kThreads; ++t)
    sum += counts[t];
  return sum;
}
__global__ void steady(int* out) {
  __shared__ int counts[kThreads];
  const int t = threadIdx.x;
  counts[t] = 0;
  for (int round = 0; round < 4; ++round) {
    ++counts[t];
    __syncthreads();
  }
  out[blockIdx.x * kThreads + t] = gather(counts);
}
// From round to round fewer are left, in each block other ones.
__global__ void some_end(int* out) {
  __shared__ int counts[kThreads];
  const int t = threadIdx.x, life = 1 + (t * 7 + blockIdx.x) % 4;
  counts[t] = 0;
  for (int round = 0; round < life; ++round) {
    ++counts[t];
    __syncthreads();
  }
  if (life < 4) return;
  int expected = 0;
  for (int i = 0; i < kThreads; ++i)
    expected += 1 + (i * 7 + blockIdx.x) % 4;
  out[blockIdx.x * kThreads + t] = gather(counts) == expected;
}
__global__ void some_never_wait(int* out) {
  __shared__ int counts[kThreads];
  const unsigned t = threadIdx.x;
  counts[t] = 1;
  if (t >= kThreads / 2 && blockIdx.x % 3) return;
  __syncthreads();
  out[blockIdx.x * kThreads + t] = gather(counts) >= kThreads / 2;
}
__global__ void two_barriers(int* out) {
  __shared__ int counts[kThreads];
  counts[threadIdx.x] = 1;
  if (threadIdx.x % 5 < 2) {
    __syncthreads();
    counts[threadIdx.x] = 2;
  } else {
    __syncthreads();
    counts[threadIdx.x] = 3;
  }
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = gather(counts);
}
__global__ void warps_between(int* out) {
  __shared__ int counts[kThreads];
  counts[threadIdx.x] = __shfl_xor_sync(~0u, threadIdx.x, 1);
  __syncthreads();
  int sum = gather(counts);
  if (threadIdx.x / 32 == 1) sum += __shfl_sync(~0u, sum, 3) - sum;
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}
__global__ void votes_between(int* out) {
  __shared__ int counts[kThreads];
  counts[threadIdx.x] = 1;
  __syncthreads();
  const int odd = __syncthreads_count(threadIdx.x % 2);
  __syncthreads();
  out[blockIdx.x * kThreads + threadIdx.x] = odd == kThreads / 2 && gather(counts) == kThreads;
}
__global__ void deadlock() {
  __syncthreads();
  if (threadIdx.x == 0) __syncwarp(3);  // @a
  __syncthreads();                      // @b
}

int main() {
  int* out;
  cudaMallocManaged(&out, kBlocks * kThreads * sizeof(int));
  auto run = [&](const char* name, void (*kernel)(int*), auto is_right) {
    cudaMemset(out, 0, kBlocks * kThreads * sizeof(int));
    kernel<<<kBlocks, kThreads>>>(out);
    cudaDeviceSynchronize();
    int right = 1;
    for (int i = 0; i < kBlocks * kThreads; ++i)
      right &= is_right(i / kThreads, i % kThreads, out[i]);
    printf("%s %d\n", name, right);
  };
  run("steady", steady, [](int, int, int v) { return v == 4 * kThreads; });
  run("some end", some_end, [](int b, int t, int v) { return v == ((t * 7 + b) % 4 == 3); });
  run("some never wait", some_never_wait,
      [](int b, int t, int v) { return v == (t < kThreads / 2 || b % 3 == 0); });
  // 96 threads: 39 or 40 of them with a remainder below 2.
  run("two barriers", two_barriers, [](int, int, int v) { return v == 2 * 39 + 3 * 57; });
  run("warps between", warps_between,
      [](int, int, int v) { return v == kThreads * (kThreads - 1) / 2; });
  run("votes between", votes_between, [](int, int, int v) { return v == 1; });
  deadlock<<<1, 32>>>();
  printf("deadlock %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
