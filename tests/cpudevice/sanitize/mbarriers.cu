// mbarriers and bulk copies: a correct ring of stages, and threads that do not wait.
// finding: uninitialised @a @c
// finding: race @b @c
// finding: race @d @c
// finding: race @f @e
// said: that a bulk copy, started at
// said: has yet to write: the phase of its mbarrier has to be over first
// said: what the asynchronous copy of thread 0 writes at
#include "../run/mbarriers.h"
#include "launch.h"

__device__ void load(void* to, const void* from, unsigned bytes, uint64_t* barrier) {
  asm volatile(  // @c
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
__device__ void store(void* to, const void* from, unsigned bytes) {
  asm volatile(  // @e
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
          __cvta_generic_to_global(to)),
      "r"(shared_address(from)), "r"(bytes)
      : "memory");
  asm volatile("cp.async.bulk.commit_group;");
}

// Before the copy's end the data is missing.
__global__ void reads_early(const int* in, int* out) {
  __shared__ uint64_t barrier;
  __shared__ __align__(16) int tile[kTile];
  if (threadIdx.x != 0) return;
  init(&barrier, 1);
  arrive_and_expect(&barrier, sizeof tile);
  load(tile, in, sizeof tile, &barrier);
  out[0] = tile[1];  // @a
  wait(&barrier, 0);
}

// A thread relies on the wait of another thread.
__global__ void does_not_wait(const int* in, int* out) {
  __shared__ uint64_t barrier;
  __shared__ __align__(16) int tile[kTile];
  if (threadIdx.x == 0) init(&barrier, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_and_expect(&barrier, sizeof tile);
    load(tile, in, sizeof tile, &barrier);
    wait(&barrier, 0);
  }
  if (threadIdx.x == 32) out[32] = tile[2];  // @b
}

// The stage is loaded again while other threads may still read the old data.
__global__ void loads_again(const int* in, int* out) {
  __shared__ uint64_t barriers[2];
  __shared__ __align__(16) int tile[kTile];
  if (threadIdx.x < 2) init(&barriers[threadIdx.x], 1);
  __syncthreads();
  for (unsigned round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&barriers[round], sizeof tile);
      load(tile, in + round * kTile, sizeof tile, &barriers[round]);
    }
    wait(&barriers[round], 0);
    out[threadIdx.x] = tile[threadIdx.x];  // @d
  }
}

// What is being stored is overwritten.
__global__ void stores(int* out) {
  __shared__ __align__(16) int tile[kTile];
  for (int i = threadIdx.x; i < kTile; i += kThreads)
    tile[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) store(out, tile, sizeof tile);
  tile[threadIdx.x + 64] = 0;  // @f
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

int main() {
  constexpr int kTiles = 10;
  int* in = zeros<int>(kTiles * kTile);
  int* out = zeros<int>(kTiles * kTile);
  ring<<<1, kThreads, kStages * kTile * sizeof(int)>>>(in, out, kTiles);
  reads_early<<<1, kThreads>>>(in, out);
  does_not_wait<<<1, kThreads>>>(in, out);
  loads_again<<<1, kThreads>>>(in, out);
  stores<<<1, kThreads>>>(out);
  finish(in);
  finish(out);
}
