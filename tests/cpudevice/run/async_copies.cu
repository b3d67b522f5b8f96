// cuda_pipeline.h: copies of 4, 8 and 16 bytes, and shorter copies, filled up with zeros.
// expect: done
#include <cuda_pipeline.h>

#include "check.h"

constexpr int kThreads = 64;

// Every thread copies 16 bytes, in pieces of `bytes`, of which the last `zeros` are not read.
__global__ void copy_kernel(const int* from, int bytes, int zeros, int* to) {
  __shared__ int4 tile[kThreads];
  int* const mine = reinterpret_cast<int*>(&tile[threadIdx.x]);
  const int words = bytes / 4;
  for (int word = 0; word < 4; word += words)
    __pipeline_memcpy_async(&mine[word], &from[4 * threadIdx.x + word], bytes, zeros);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int* const other = reinterpret_cast<const int*>(&tile[kThreads - 1 - threadIdx.x]);
  for (int word = 0; word < 4; ++word)
    to[4 * threadIdx.x + word] = other[word];
}

int main() {
  int* from;
  int* to;
  cudaMallocManaged(&from, 4 * kThreads * sizeof(int));
  cudaMallocManaged(&to, 4 * kThreads * sizeof(int));
  for (int i = 0; i < 4 * kThreads; ++i)
    from[i] = 1 + i;
  for (const int bytes : {4, 8, 16}) {
    for (int zeros = 0; zeros <= bytes; zeros += 4) {
      copy_kernel<<<1, kThreads>>>(from, bytes, zeros, to);
      CHECK(cudaDeviceSynchronize() == cudaSuccess);
      for (int i = 0; i < 4 * kThreads; ++i) {
        const bool read = 4 * i % bytes < bytes - zeros;
        const int place = 4 * (kThreads - 1 - i / 4) + i % 4;
        CHECK(to[i] == (read ? 1 + place : 0));
      }
    }
  }
  cudaFree(from);
  cudaFree(to);
  std::printf("done\n");
}
