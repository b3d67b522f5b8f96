// mbarriers and bulk copies by PTX: arrivals, parities and tokens, copies to and from shared
// memory, in a ring of stages with a loading thread and computing threads.
// flags: -arch=sm_90
#include <cstdio>

#include "check.h"
#include "mbarriers.h"

__device__ bool has_ended(uint64_t* barrier, uint64_t token) {
  unsigned ended;
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(ended)
      : "r"(shared_address(barrier)), "l"(token)
      : "memory");
  return ended;
}
__device__ void load(void* to, const void* from, unsigned bytes, uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
__device__ void store(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                   __cvta_generic_to_global(to)),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;");
}

// Each thread arrives and goes on; the last arrival ends the phase.
__global__ void arrivals(int* out) {
  __shared__ uint64_t barrier;
  __shared__ int sum;
  if (threadIdx.x == 0) {
    sum = 0;
    init(&barrier, kThreads);
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  for (unsigned round = 0; round < 5; ++round) {
    atomicAdd(&sum, 1);
    const uint64_t token = arrive(&barrier);
    unsigned missing;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(missing) : "l"(token));
    CHECK(missing >= 1 && missing <= kThreads);
    while (!has_ended(&barrier, token)) {
    }
    CHECK(sum == static_cast<int>(round + 1) * kThreads);
    arrive(&barrier);
    wait(&barrier, 1);
  }
  out[threadIdx.x] = sum;
}

// A thread leaves for good: later phases expect a single arrival.
__global__ void drops(int* out) {
  __shared__ uint64_t barrier;
  if (threadIdx.x == 0) init(&barrier, 2);
  __syncthreads();
  if (threadIdx.x == 1) {
    asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(shared_address(&barrier)));
  } else if (threadIdx.x == 0) {
    arrive(&barrier);
    wait(&barrier, 0);
    arrive(&barrier);
    wait(&barrier, 1);
    out[0] = 1;
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(shared_address(&barrier)));
  }
}

// Before the wait no data has arrived.
__global__ void early(const int* in, int* out) {
  __shared__ uint64_t barrier;
  __shared__ __align__(16) int tile[4];
  if (threadIdx.x != 0) return;
  init(&barrier, 1);
  tile[0] = -1;
  arrive_and_expect(&barrier, 16);
  load(tile, in, 16, &barrier);
  out[4] = *reinterpret_cast<volatile int*>(tile);
  wait(&barrier, 0);
  out[5] = *reinterpret_cast<volatile int*>(tile);
  store(out, tile, 16);
  out[6] = *reinterpret_cast<volatile int*>(out);
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  out[7] = *reinterpret_cast<volatile int*>(out);
}

// The arrival follows the thread's copies of the older kind; elect.sync chooses lane 0.
__global__ void after_copies(const int4* in, int4* out) {
  __shared__ uint64_t barrier;
  __shared__ int4 tile[32];
  unsigned leader, chosen;
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }"
               : "=r"(leader), "=r"(chosen));
  CHECK(leader == 0 && chosen == (threadIdx.x == 0));
  if (chosen) init(&barrier, 32);
  __syncwarp();
  asm volatile(
      "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(tile + threadIdx.x)),
      "l"(in + threadIdx.x));
  asm volatile(
      "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(&barrier)));
  wait(&barrier, 0);
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

int main() {
  int *in, *out;
  constexpr int kTiles = 10, kAll = kTiles * kTile;
  CHECK_OK(cudaMallocManaged(&in, kAll * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kAll * sizeof(int)));
  for (int i = 0; i < kAll; ++i)
    in[i] = i * 7;
  arrivals<<<2, kThreads>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[5] == 5 * kThreads);
  drops<<<1, 32>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 1);
  ring<<<1, kThreads, kStages * kTile * sizeof(int)>>>(in, out, kTiles);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kAll; ++i)
    CHECK(out[i] == 2 * in[i / kTile * kTile + kTile - 1 - i % kTile]);
  in[0] = 5;
  out[0] = 0;
  early<<<1, 1>>>(in, out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[4] == -1 && out[5] == 5 && out[6] == 0 && out[7] == 5);
  after_copies<<<1, 32>>>(reinterpret_cast<int4*>(in), reinterpret_cast<int4*>(out));
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i)
    CHECK(out[i] == in[(31 - i / 4) * 4 + i % 4]);
}
