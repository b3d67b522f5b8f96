// Constructors and operators, called without a name, need the calling thread: loops over a block's
// threads (compiler/lockstep) would change results. No kernel of the file runs in lock-step.
#include <cstdio>

#include "check.h"

constexpr int kBlock = 64;

struct Index {
  int i;
  __device__ Index() : i(threadIdx.x) {}
};

struct Counter {
  int seen;
  __device__ Counter(int& count, int by) {
    seen = count;
    count += by;
  }
  __device__ void operator-=(int& count) { count -= seen; }
};

// The constructor has another result in each thread.
__global__ void constructs(const int* in, int* out) {
  __shared__ int s[kBlock];
  Index index;
  s[index.i] = in[index.i];
  __syncthreads();
  out[index.i] = s[kBlock - 1 - index.i];
}

// A constructor and an operator change an operand, in each thread by another number.
__global__ void counts(const int* in, int* out) {
  __shared__ int s[kBlock];
  const int t = threadIdx.x;
  int first = 1, second = 0;
  Counter a{first, t}, b{first, 0};
  b -= second;
  s[t] = in[t];
  __syncthreads();
  out[t] = a.seen == 1 && first == t + 1 && second == -first ? s[kBlock - 1 - t] : -1;
}

int main() {
  int *in, *out;
  CHECK_OK(cudaMallocManaged(&in, kBlock * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kBlock * sizeof(int)));
  for (int i = 0; i < kBlock; ++i)
    in[i] = i * i;
  for (auto kernel : {constructs, counts}) {
    for (int i = 0; i < kBlock; ++i)
      out[i] = -1;
    kernel<<<1, kBlock>>>(in, out);
    CHECK_OK(cudaDeviceSynchronize());
    for (int i = 0; i < kBlock; ++i)
      CHECK(out[i] == in[kBlock - 1 - i]);
  }
}
