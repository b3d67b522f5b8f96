// Asynchronous copies of cooperative groups and of cuda::pipeline, with two stages: right, and
// with a wait for one stage too few.
// finding: uninitialised @b @a
// finding: uninitialised @d @c
// said: has to commit it and to wait for it first
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "launch.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 64;
constexpr int kTiles = 4;

template <bool kRight>
__global__ void by_a_group(const int* in, int* out) {
  __shared__ alignas(16) int stage[2][kThreads];
  const cg::thread_block block = cg::this_thread_block();
  const int i = threadIdx.x;
  int sum = 0;
  cg::memcpy_async(block, stage[0], in, sizeof stage[0]);
  for (int t = 0; t < kTiles; ++t) {
    const bool more = t + 1 < kTiles;
    const int* next = in + (t + 1) * kThreads;
    if (more) cg::memcpy_async(block, stage[(t + 1) % 2], next, sizeof stage[0]);  // @a
    if (more || !kRight) {
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += stage[t % 2][kThreads - 1 - i];  // @b
    block.sync();
  }
  out[i] = sum;
}

template <bool kRight>
__global__ void by_a_pipeline(const int* in, int* out) {
  __shared__ int stage[2][kThreads];
  auto pipeline = cuda::make_pipeline();
  const int i = threadIdx.x;
  const auto load = [&](int t) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&stage[t % 2][i], &in[t * kThreads + i], sizeof(int), pipeline);  // @c
    pipeline.producer_commit();
  };
  int sum = 0;
  load(0);
  for (int t = 0; t < kTiles; ++t) {
    if (t + 1 < kTiles) load(t + 1);
    if (t + 1 < kTiles || !kRight) {
      cuda::pipeline_consumer_wait_prior<1>(pipeline);
    } else {
      pipeline.consumer_wait();
    }
    __syncthreads();
    sum += stage[t % 2][kThreads - 1 - i];  // @d
    pipeline.consumer_release();
    __syncthreads();
  }
  out[i] = sum;
}

// A barrier's phase ends after all copies bound to the barrier, although one thread arrives for
// all.
__global__ void by_a_barrier(const int* in, int* out) {
  __shared__ int tile[kThreads];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const int i = threadIdx.x;
  if (i == 0) init(&barrier, 1);
  __syncthreads();
  cuda::memcpy_async(&tile[i], &in[i], sizeof(int), barrier);
  __syncthreads();
  if (i == 0) (void)barrier.arrive();
  barrier.wait_parity(false);
  out[i] = tile[kThreads - 1 - i];
}

int main() {
  int* in = zeros<int>(kTiles * kThreads);
  int* out = zeros<int>(kThreads);
  by_a_group<true><<<1, kThreads>>>(in, out);
  by_a_pipeline<true><<<1, kThreads>>>(in, out);
  by_a_barrier<<<1, kThreads>>>(in, out);
  by_a_group<false><<<1, kThreads>>>(in, out);
  by_a_pipeline<false><<<1, kThreads>>>(in, out);
  finish(in);
  finish(out);
}
