// Warp-synchronous code of older programs: volatile arrays, and no barrier between the steps.
// expect: reduced 2016 2016 2016
// expect: scanned 496 465
// expect: copied 1
// expect: rotated 31 0
// expect: in branches 496
// expect: null 1
// expect: ordinary 2016
#include <cstdio>

template <unsigned kThreads, typename T>
__device__ void reduce_warp(volatile T* sums, unsigned t) {
  if (kThreads >= 64) sums[t] += sums[t + 32];
  sums[t] += sums[t + 16];
  sums[t] += sums[t + 8];
  if (t < 4)
    sums[t] += sums[t + 4];
  else
    sums[t] = 0;
  sums[t] = sums[t] + sums[t + 2];
  sums[t] += sums[t + 1];
}
template <unsigned kThreads>
__global__ void reduce(const int* in, int* out) {
  extern __shared__ int shared[];
  const unsigned t = threadIdx.x;
  shared[t] = in[blockIdx.x * kThreads + t];
  __syncthreads();
  if (t < 32) reduce_warp<kThreads>(shared, t);
  if (t == 0) out[blockIdx.x] = shared[0];
}

// Hillis and Steele, with zeros below the sums.
__global__ void scan(int* data) {
  __shared__ volatile int sums[64];
  const int lane = threadIdx.x, i = lane + 32;
  sums[lane] = 0;
  int sum = data[lane];
  sums[i] = sum;
  sums[i] = sum = sum + sums[i - 1];
  sums[i] = sum = sum + sums[i - 2];
  sums[i] = sum = sum + sums[i - 4];
  sums[i] = sum = sum + sums[i - 8];
  sums[i] = sum = sum + sums[i - 16];
  data[lane] = sums[i];
}

// Each lane takes its neighbour's value and overwrites its own.
__global__ void rotate(int* data) {
  volatile int* mine = data;
  mine[threadIdx.x] = mine[(threadIdx.x + 31) % 32];
}

// Only the lanes below `offset`: the other lanes are past the branch.
__global__ void in_branches(int* data) {
  volatile int* sums = data;
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    if (threadIdx.x < offset) sums[threadIdx.x] += sums[threadIdx.x + offset];
  }
}

// A flag in a volatile array, for which lanes of the same warp wait in a loop.
__global__ void flag(int* seen) {
  __shared__ volatile int flags[2];
  if (threadIdx.x < 2) flags[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 5) flags[0] = 1;
  while (flags[0] == 0) {
  }
  atomicAnd(seen, flags[0]);
}

// A 0 that means a null pointer.
__global__ void null(int* all) {
  __shared__ volatile int* pointers[32];
  pointers[threadIdx.x] = 0;
  atomicAnd(all, pointers[31 - threadIdx.x] == nullptr);
}

// An ordinary array with the name of a volatile array in another function.
__global__ void ordinary(int* out) {
  __shared__ int sums[64];
  const unsigned t = threadIdx.x;
  sums[t] = static_cast<int>(t);
  __syncthreads();
  for (unsigned offset = 32; offset > 0; offset /= 2) {
    if (t < offset) sums[t] += sums[t + offset];
    __syncthreads();
  }
  if (t == 0) *out = sums[0];
}

int main() {
  int *data, *out;
  cudaMallocManaged(&data, 192 * sizeof(int));
  cudaMallocManaged(&out, 4 * sizeof(int));
  for (int i = 0; i < 192; ++i)
    data[i] = i % 64;
  reduce<64><<<3, 64, 96 * sizeof(int)>>>(data, out);
  cudaDeviceSynchronize();
  printf("reduced %d %d %d\n", out[0], out[1], out[2]);
  scan<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  printf("scanned %d %d\n", data[31], data[30]);
  out[0] = 1;
  flag<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("copied %d\n", out[0]);
  for (int i = 0; i < 32; ++i)
    data[i] = i;
  rotate<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  printf("rotated %d %d\n", data[0], data[1]);
  in_branches<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  printf("in branches %d\n", data[0]);
  out[0] = 1;
  null<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("null %d\n", out[0]);
  ordinary<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  printf("ordinary %d\n", out[0]);
}
