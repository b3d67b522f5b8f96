// Groups of a block: tiles, coalesced threads, partitions, and their collectives.
// expect: done
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

struct Large {
  double values[5];
};

__device__ int sum_in_shared(cg::thread_group group, int* scratch, int value) {
  const int rank = group.thread_rank();
  for (int stride = group.size() / 2; stride > 0; stride /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < stride) value += scratch[rank + stride];
    group.sync();
  }
  return value;
}

__global__ void block_kernel() {
  __shared__ int scratch[128];
  cg::thread_block block = cg::this_thread_block();
  const int sum = sum_in_shared(block, scratch, threadIdx.x);
  if (block.thread_rank() == 0) CHECK(sum == 127 * 128 / 2);
  CHECK(block.size() == 128 && block.num_threads() == 128 && cg::group_size(block) == 128);
  CHECK(block.group_index().x == blockIdx.x && block.thread_index().x == threadIdx.x);
  CHECK(block.dim_threads().x == 128 && block.group_dim().y == 1 &&
        cg::thread_rank(block) == threadIdx.x);
  auto quarters = cg::tiled_partition(block, 4);
  CHECK(quarters.size() == 4 && quarters.thread_rank() == threadIdx.x % 4);
  CHECK(sum_in_shared(quarters, scratch + threadIdx.x / 4 * 4, 1) ==
            4 - int(quarters.thread_rank()) ||
        quarters.thread_rank() != 0);
  auto token = block.barrier_arrive();
  block.barrier_wait(std::move(token));
}

template <int kSize>
__device__ void tile(const cg::thread_block& block) {
  auto tile = cg::tiled_partition<kSize>(block);
  const int rank = threadIdx.x % kSize, first = threadIdx.x - rank;
  CHECK(tile.size() == kSize && int(tile.thread_rank()) == rank);
  CHECK(int(tile.meta_group_rank()) == int(threadIdx.x) / kSize &&
        tile.meta_group_size() == 128 / kSize);
  CHECK(cg::reduce(tile, rank, cg::plus<int>()) == kSize * (kSize - 1) / 2);
  CHECK(cg::reduce(tile, -rank, cg::less<int>()) == 1 - kSize &&
        cg::reduce(tile, rank, cg::greater<int>()) == kSize - 1);
  CHECK(cg::reduce(tile, 1u << rank, cg::bit_or<unsigned>()) ==
        (kSize == 32 ? ~0u : (1u << kSize) - 1));
  CHECK(cg::inclusive_scan(tile, 2) == 2 * (rank + 1) && cg::exclusive_scan(tile, 2) == 2 * rank);
  CHECK(cg::inclusive_scan(tile, rank, cg::greater<int>()) == rank);
  CHECK(tile.shfl(first + rank, kSize - 1) == first + kSize - 1);
  CHECK(tile.shfl_up(rank, 1) == max(rank - 1, 0) &&
        tile.shfl_down(rank, 1) == min(rank + 1, kSize - 1));
  CHECK(tile.shfl_xor(rank, kSize / 2) == (rank ^ (kSize / 2)));
  CHECK(tile.ballot(rank == 0) == 1 && tile.any(rank == kSize - 1) && tile.all(rank < kSize));
  CHECK(tile.match_any(rank / 2) == (kSize == 1 ? 1u : 3u << rank / 2 * 2));
  int same;
  CHECK(__popc(tile.match_all(7, same)) == kSize && same);
  Large large{{rank + 0.5, 1, 2, 3, 4}};
  large = tile.shfl(large, 0);
  CHECK(large.values[0] == 0.5 && large.values[4] == 4);
  cg::thread_block_tile<kSize> erased = tile;
  CHECK(erased.thread_rank() == tile.thread_rank());
  tile.sync();
  cg::sync(tile);
}

__global__ void tiles_kernel() {
  cg::thread_block block = cg::this_thread_block();
  tile<1>(block);
  tile<2>(block);
  tile<8>(block);
  tile<16>(block);
  tile<32>(block);
  auto warp = cg::tiled_partition<32>(block);
  auto part = cg::tiled_partition<4>(warp);
  CHECK(part.meta_group_size() == 8 && part.meta_group_rank() == threadIdx.x % 32 / 4);
}

__global__ void coalesced_kernel() {
  const int lane = threadIdx.x % 32;
  if (lane % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    const int rank = lane / 3;
    CHECK(active.size() == 11 && int(active.thread_rank()) == rank);
    CHECK(active.shfl(lane, 2) == 6 && active.shfl_up(lane, 1) == max(lane - 3, 0));
    CHECK(active.shfl_down(lane, 4) == (rank + 4 < 11 ? lane + 12 : lane));
    CHECK(active.ballot(lane % 2) == 0x2aa && cg::reduce(active, lane, cg::plus<int>()) == 165);
    CHECK(cg::exclusive_scan(active, 1) == rank);
    auto pairs = cg::tiled_partition(active, 2);
    CHECK(pairs.size() == (rank == 10 ? 1 : 2) && pairs.meta_group_size() == 6);
  }
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto label = cg::labeled_partition(warp, lane % 5);
  CHECK(label.size() == (lane % 5 < 2 ? 7 : 6) && label.meta_group_size() == 5);
  CHECK(int(label.thread_rank()) == lane / 5 && int(label.meta_group_rank()) == lane % 5);
  auto half = cg::binary_partition(warp, lane < 10);
  CHECK(half.size() == (lane < 10 ? 10 : 22));
  CHECK(cg::invoke_one_broadcast(warp, [&] { return lane + 100; }) == 100);
}

__global__ void copy_kernel(const int* source, int n) {
  __shared__ int staged[1000];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, staged, source, n * sizeof(int));
  cg::wait(block);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    CHECK(staged[n - 1 - i] == n - 1 - i);
}

// Of the second warp only half exists.
__global__ void partial_warp_kernel() {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  CHECK(cg::reduce(warp, 1, cg::plus<int>()) == (threadIdx.x < 32 ? 32 : 16));
}

// Tiles of several warps, which do not wait for each other.
__global__ void multi_warp_kernel(int* sums) {
  __shared__ cg::block_tile_memory<256> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  const int rank = block.thread_rank();
  int sum = 0;
  for (unsigned round = 0; round <= tile.meta_group_rank(); ++round)
    sum += cg::reduce(tile, rank, cg::plus<int>());
  if (tile.thread_rank() == 63) sums[tile.meta_group_rank()] = sum;
  const auto warp = cg::tiled_partition<32>(block);
  if (cg::reduce(warp, 1, cg::plus<int>()) != 32) sums[0] = -1;
}

void test_multi_warp_tiles() {
  int* sums;
  CHECK_OK(cudaMallocManaged(&sums, 4 * sizeof(int)));
  multi_warp_kernel<<<1, 256>>>(sums);
  CHECK_OK(cudaDeviceSynchronize());
  for (int tile = 0; tile < 4; ++tile)
    CHECK(sums[tile] == (tile + 1) * (64 * 64 * tile + 64 * 63 / 2));
}

int main() {
  test_multi_warp_tiles();
  block_kernel<<<2, 128>>>();
  tiles_kernel<<<1, 128>>>();
  coalesced_kernel<<<1, 64>>>();
  int* source;
  CHECK_OK(cudaMallocManaged(&source, 4000));
  for (int i = 0; i < 1000; ++i)
    source[i] = i;
  copy_kernel<<<1, 96>>>(source, 999);
  partial_warp_kernel<<<1, 48>>>();
  CHECK_OK(cudaDeviceSynchronize());
  printf("done\n");
}
