// Bulk copies by cuda::barrier and <cuda/ptx>: expected bytes, tokens and parities.
// flags: -arch=sm_90
#include <cuda/barrier>
#include <cuda/ptx>
#include <utility>

#include "check.h"

namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int kThreads = 64, kTile = 256;

// Thread 0 starts the copy, all arrive, and the phase ends with the last arrival and byte.
__global__ void adds_one(int* data) {
  __shared__ alignas(128) int tile[kTile];
  __shared__ Barrier barrier;
  int* mine = data + blockIdx.x * kTile;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, mine, cuda::aligned_size_t<16>(sizeof(tile)), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof(tile));
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  for (int i = threadIdx.x; i < kTile; i += kThreads)
    ++tile[i];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, mine, tile, sizeof(tile));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// Two copies in the first phase, by the instructions; the second phase has no bytes.
__global__ void two_copies(const int* in, int* out) {
  __shared__ alignas(16) int tile[kTile];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    constexpr unsigned kHalf = sizeof(tile) / 2;
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full, kHalf);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, kHalf, &full);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile + kTile / 2, in + kTile / 2,
                       kHalf, &full);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   kHalf);
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  out[threadIdx.x] = tile[kTile - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) ptx::mbarrier_arrive(&full);
  while (!ptx::mbarrier_test_wait_parity(&full, 1)) {
  }
}

// Arrivals of a part of the block; thread 2 leaves.
__global__ void parts(int* out) {
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, 3);
  __syncthreads();
  if (threadIdx.x >= 3) return;
  barrier.arrive_and_wait();
  if (threadIdx.x == 2) {
    barrier.arrive_and_drop();
    return;
  }
  barrier.arrive_and_wait();
  static_cast<void>(barrier.arrive());
  barrier.wait_parity(false);
  CHECK(Barrier::max() >= 1024);
  out[threadIdx.x] = 1;
}

int main() {
  int *data, *out;
  constexpr int kBlocks = 3, kAll = kBlocks * kTile;
  CHECK_OK(cudaMallocManaged(&data, kAll * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kThreads * sizeof(int)));
  for (int i = 0; i < kAll; ++i)
    data[i] = 3 * i;
  adds_one<<<kBlocks, kThreads>>>(data);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kAll; ++i)
    CHECK(data[i] == 3 * i + 1);
  two_copies<<<1, kThreads>>>(data, out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i)
    CHECK(out[i] == data[kTile - 1 - i]);
  out[0] = out[1] = 0;
  parts<<<1, 32>>>(out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 1 && out[1] == 1);
}
