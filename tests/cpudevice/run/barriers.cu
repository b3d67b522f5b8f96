// __syncthreads and related functions, also after some threads have left.
// expect: reduction 523776
// expect: count 171 and 0 or 1
// expect: all 1 1
// expect: early exit 64
// expect: three dimensions 719
// expect: many blocks 2048
// expect: warp barrier 1
// expect: rounds 100000
#include <cstdio>

__global__ void reduce(int* out) {
  __shared__ int partial[1024];
  partial[threadIdx.x] = threadIdx.x;
  for (int stride = 512; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < unsigned(stride)) partial[threadIdx.x] += partial[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) *out = partial[0];
}
__global__ void votes(int* out) {
  out[0] = __syncthreads_count(threadIdx.x % 3 == 0);
  out[1] = __syncthreads_and(threadIdx.x < 511);
  out[2] = __syncthreads_or(threadIdx.x == 77);
  out[3] = __syncthreads_and(1);
  out[4] = __syncthreads_or(threadIdx.x < 512);
}
__global__ void leave_early(int* out) {
  __shared__ int values[256];
  if (threadIdx.x >= 64 && threadIdx.x != 100) return;
  values[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 100) return;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += values[i];
    *out = sum;
  }
}
__global__ void solid(int* out) {
  __shared__ int last;
  int id = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (id == 719) last = id;
  __syncthreads();
  if (id == 0) *out = last;
}
__global__ void blocks(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void warp_barrier(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  int right = s[threadIdx.x ^ 1] == int(threadIdx.x ^ 1);
  if (threadIdx.x < 7) __syncwarp(0x7f);
  right = __syncthreads_and(right);
  *out = right;
}
__global__ void rounds(int* out) {
  __shared__ int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  for (int i = 0; i < 100000; ++i) {
    if (threadIdx.x == unsigned(i % 8)) ++turn;
    __syncthreads();
  }
  *out = turn;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 2048 * sizeof(int));
  reduce<<<1, 1024>>>(out);
  printf("reduction %d\n", *out);
  votes<<<1, 512>>>(out);
  printf("count %d and %d or %d\nall %d %d\n", out[0], out[1], out[2], out[3], out[4]);
  leave_early<<<1, 256>>>(out);
  printf("early exit %d\n", *out);
  solid<<<1, dim3(8, 9, 10)>>>(out);
  printf("three dimensions %d\n", *out);
  blocks<<<64, 32>>>(out);
  int sum = 0;
  for (int i = 0; i < 2048; ++i)
    sum += out[i];
  printf("many blocks %d\n", sum);
  warp_barrier<<<1, 64>>>(out);
  printf("warp barrier %d\n", *out);
  rounds<<<1, 8>>>(out);
  printf("rounds %d\n", *out);
  return cudaDeviceSynchronize();
}
