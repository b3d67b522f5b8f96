// Kernels whose threads seem to share a variable, or to need only its value behind a barrier: as
// loops over a block's threads (compiler/lockstep) they would compute something else.
#include <cstdio>

#include "check.h"

constexpr int kBlock = 64;

struct Index {
  int i;
  __device__ Index() : i(threadIdx.x) {}
};

__device__ void advance(const int*& p) {
  p += threadIdx.x;
}

// The constructor has another result in each thread.
__global__ void constructs(const int* in, int* out) {
  __shared__ int s[kBlock];
  Index index;
  s[index.i] = in[index.i];
  __syncthreads();
  out[index.i] = s[kBlock - 1 - index.i];
}

// What the pointer points at must be where the variable is, before and behind the barriers.
__global__ void points(const int* in, int* out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  int value = 0, values[2] = {}, rows[2][2] = {};
  int *p = &value, *q = values, *row = rows[1];
  s[t] = in[t];
  __syncthreads();
  *p += s[kBlock - 1 - t];
  q[1] -= 1;
  row[1] -= 1;
  __syncthreads();
  out[t] = value + values[1] + rows[1][1] + 2;
}

// A reference to a pointer to const changes the pointer.
__global__ void advances(const int* in, int* out) {
  __shared__ int s[kBlock];
  const int* p = in;
  advance(p);
  s[threadIdx.x] = *p;
  __syncthreads();
  out[threadIdx.x] = s[kBlock - 1 - threadIdx.x];
}

// Assignments to what stands in parentheses.
__global__ void chooses(const int* in, int* out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  int a = 0, b = 0, c = 0;
  (t % 2 ? a : b) = 1;
  if (t > 5) ++(c);
  s[t] = in[t];
  __syncthreads();
  out[t] = a == t % 2 && b == 1 - t % 2 && c == (t > 5) ? s[kBlock - 1 - t] : -1;
}

int main() {
  int *in, *out;
  CHECK_OK(cudaMallocManaged(&in, kBlock * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kBlock * sizeof(int)));
  for (int i = 0; i < kBlock; ++i)
    in[i] = i * i;
  for (auto kernel : {constructs, points, advances, chooses}) {
    for (int i = 0; i < kBlock; ++i)
      out[i] = -1;
    kernel<<<1, kBlock>>>(in, out);
    CHECK_OK(cudaDeviceSynchronize());
    for (int i = 0; i < kBlock; ++i)
      CHECK(out[i] == in[kBlock - 1 - i]);
  }
}
