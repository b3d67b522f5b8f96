// Kernels whose threads seem to share a variable, or to need only its value behind a barrier: loops
// over a block's threads (compiler/lockstep) would compute something else.
#include <cstdio>

#include "check.h"

constexpr int kBlock = 64;

__device__ void advance(const int*& p) {
  p += threadIdx.x;
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

// An array of pointers, a pointer and a reference in a class, and what functions return and store.
struct Pointer {
  int* p;
};
struct Reference {
  int& value;
};
__device__ int* address(int& value) {
  return &value;
}
__device__ void store(int*& p, int& value) {
  p = &value;
}
__global__ void keeps(const int* in, int* out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  int rows[2][2] = {}, lines[2][2] = {}, value = 0, other = 0, third = 0;
  int *all[2], *stored;
  all[1] = rows[1];
  Pointer pointer;
  pointer.p = lines[1];
  Reference reference{value};
  int* returned = address(other);
  store(stored, third);
  s[t] = in[t];
  __syncthreads();
  all[1][1] = 1;
  pointer.p[1] = 2;
  reference.value = 3;
  *returned = 4;
  *stored = 5;
  __syncthreads();
  const int sum = rows[1][1] + lines[1][1] + value + other + third;
  out[t] = sum == 15 ? s[kBlock - 1 - t] : -1;
}

// The program's own functions with CUDA's names: min() waits, max() differs between the threads.
namespace mine {
__device__ int min(int a, int b) {
  __syncthreads();
  return a < b ? a : b;
}
__device__ int max(int a, int b) {
  return (a > b ? a : b) + static_cast<int>(threadIdx.x);
}
__global__ void calls(const int* in, int* out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  const int later = max(t - kBlock, 0);
  s[t] = in[t];
  const int least = min(t, kBlock);
  const int value = s[kBlock - 1 - least];
  __syncthreads();
  out[t] = later == t ? value : -1;
}
}  // namespace mine

int main() {
  int *in, *out;
  CHECK_OK(cudaMallocManaged(&in, kBlock * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kBlock * sizeof(int)));
  for (int i = 0; i < kBlock; ++i)
    in[i] = i * i;
  for (auto kernel : {points, advances, chooses, keeps, mine::calls}) {
    for (int i = 0; i < kBlock; ++i)
      out[i] = -1;
    kernel<<<1, kBlock>>>(in, out);
    CHECK_OK(cudaDeviceSynchronize());
    for (int i = 0; i < kBlock; ++i)
      CHECK(out[i] == in[kBlock - 1 - i]);
  }
}
