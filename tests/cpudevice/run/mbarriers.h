// What the programs with mbarriers share: the instructions as functions, and a ring of stages. Each
// program defines load() and store(), because findings name lines of the program.
#pragma once
#include <cstdint>

__device__ void load(void* to, const void* from, unsigned bytes, uint64_t* barrier);
__device__ void store(void* to, const void* from, unsigned bytes);

__device__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ void init(uint64_t* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(count));
}
__device__ uint64_t arrive(uint64_t* barrier) {
  uint64_t token;
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];"
               : "=l"(token)
               : "r"(shared_address(barrier))
               : "memory");
  return token;
}
__device__ void arrive_and_expect(uint64_t* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                   shared_address(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void wait(uint64_t* barrier, unsigned parity) {
  unsigned ended = 0;
  while (!ended) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;"
        " selp.u32 %0, 1, 0, p; }"
        : "=r"(ended)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
  }
}
constexpr int kThreads = 64, kTile = 256, kStages = 3;

// Thread 0 loads tiles ahead and stores results; all threads compute.
__global__ void ring(const int* in, int* out, int tiles) {
  extern __shared__ __align__(128) int memory[];
  __shared__ uint64_t full[kStages], empty[kStages];
  __shared__ __align__(16) int made[kTile];
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      init(&full[s], 1);
      init(&empty[s], kThreads);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int tile = 0; tile < kStages && tile < tiles; ++tile) {
      arrive_and_expect(&full[tile], kTile * sizeof(int));
      load(memory + tile * kTile, in + tile * kTile, kTile * sizeof(int), &full[tile]);
    }
  }
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % kStages;
    const unsigned parity = tile / kStages & 1;
    wait(&full[stage], parity);
    const int* values = memory + stage * kTile;
    for (int i = threadIdx.x; i < kTile; i += kThreads)
      made[i] = 2 * values[kTile - 1 - i];
    arrive(&empty[stage]);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      store(out + tile * kTile, made, kTile * sizeof(int));
      if (tile + kStages < tiles) {
        wait(&empty[stage], parity);
        arrive_and_expect(&full[stage], kTile * sizeof(int));
        load(memory + stage * kTile, in + (tile + kStages) * kTile, kTile * sizeof(int),
             &full[stage]);
      }
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
}
