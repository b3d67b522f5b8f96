// CUB in kernels: what a block's items have to do with neighbours (BlockDiscontinuity,
// BlockAdjacentDifference, BlockShuffle), and runs of equal items written out
// expect: done
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>
#include <cuda/functional>

#include <cstdio>

#include "../../cpudevice/run/check.h"

constexpr int kThreads = 64, kItemsPerThread = 3, kItems = kThreads * kItemsPerThread;

// The items of the tests: 0 0 0 0 0 1 1 1 1 1 2 …
__device__ int item_at(int place) {
  return place / 5;
}

struct Differs {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
// Takes every 7th place for the begin of something new, too.
struct DiffersOrSeventh {
  __device__ bool operator()(const int& a, const int& b, int place) const {
    return a != b || place % 7 == 0;
  }
};

__global__ void flags() {
  using Discontinuity = cub::BlockDiscontinuity<int, 16, 4>;
  __shared__ typename Discontinuity::TempStorage storage;
  const int rank = threadIdx.x + 16 * threadIdx.y;
  int items[kItemsPerThread], heads[kItemsPerThread], tails[kItemsPerThread];
  for (int i = 0; i < kItemsPerThread; ++i)
    items[i] = item_at(rank * kItemsPerThread + i);
  // Compares the flags with the right flags of each place; the ends are given.
  auto check = [&](bool first, bool last) {
    for (int i = 0; i < kItemsPerThread; ++i) {
      const int place = rank * kItemsPerThread + i;
      CHECK(heads[i] == (place == 0 ? first : place % 5 == 0));
      CHECK(tails[i] == (place == kItems - 1 ? last : place % 5 == 4));
    }
    __syncthreads();
  };
  Discontinuity(storage).FlagHeads(heads, items, Differs());
  __syncthreads();
  Discontinuity(storage).FlagTails(tails, items, Differs());
  check(true, true);
  Discontinuity(storage).FlagHeads(heads, items, Differs(), 0);
  __syncthreads();
  Discontinuity(storage).FlagTails(tails, items, Differs(), item_at(kItems));
  check(false, false);
  Discontinuity(storage).FlagHeadsAndTails(heads, tails, items, Differs());
  check(true, true);
  Discontinuity(storage).FlagHeadsAndTails(heads, tails, 38, items, Differs());
  check(true, false);
  Discontinuity(storage).FlagHeadsAndTails(heads, 0, tails, items, Differs());
  check(false, true);
  Discontinuity(storage).FlagHeadsAndTails(heads, -1, tails, 39, items, Differs());
  check(true, true);
  Discontinuity(storage).FlagHeadsAndTails(heads, 0, tails, 38, items, DiffersOrSeventh());
  for (int i = 0; i < kItemsPerThread; ++i) {
    const int place = rank * kItemsPerThread + i;
    CHECK(heads[i] == (place % 5 == 0 || place % 7 == 0));
    CHECK(tails[i] == (place % 5 == 4 || place % 7 == 6));
  }
}

__global__ void differences() {
  using Difference = cub::BlockAdjacentDifference<int, kThreads>;
  __shared__ typename Difference::TempStorage storage;
  const int rank = threadIdx.x;
  auto square = [](int place) { return place * place; };
  int items[kItemsPerThread];
  long long results[kItemsPerThread];
  for (int i = 0; i < kItemsPerThread; ++i)
    items[i] = square(rank * kItemsPerThread + i);
  const auto minus = [](int& a, int& b) { return a - b; };
  // Each result below `valid` is the difference, the others and the result at `end` are items.
  auto check = [&](int valid, int end, int step) {
    for (int i = 0; i < kItemsPerThread; ++i) {
      const int place = rank * kItemsPerThread + i;
      const bool is_item = place == end || place >= valid;
      CHECK(results[i] == square(place) - (is_item ? 0 : square(place + step)));
    }
    __syncthreads();
  };
  Difference(storage).SubtractLeft(items, results, minus);
  check(kItems, 0, -1);
  Difference(storage).SubtractLeft(items, results, minus, 1);
  check(kItems, kItems, -1);
  Difference(storage).SubtractLeftPartialTile(items, results, minus, 100);
  check(100, 0, -1);
  Difference(storage).SubtractLeftPartialTile(items, results, minus, 100, 1);
  check(100, 100, -1);
  Difference(storage).SubtractRight(items, results, minus);
  check(kItems, kItems - 1, 1);
  Difference(storage).SubtractRight(items, results, minus, square(kItems));
  check(kItems, kItems, 1);
  Difference(storage).SubtractRightPartialTile(items, results, minus, 100);
  check(99, 99, 1);
  Difference(storage).SubtractLeft(items, items, cuda::std::minus<>{});
  for (int i = 0; i < kItemsPerThread; ++i)
    results[i] = items[i];
  check(kItems, 0, -1);
}

__global__ void shuffles() {
  using Shuffle = cub::BlockShuffle<int, kThreads>;
  __shared__ typename Shuffle::TempStorage storage;
  const int rank = threadIdx.x;
  int moved = -1, end = -1;
  Shuffle(storage).Offset(rank, moved);
  CHECK(moved == (rank == kThreads - 1 ? -1 : rank + 1));
  __syncthreads();
  Shuffle(storage).Offset(rank, moved, -2);
  CHECK(moved == (rank == 0 || rank == 1 ? rank + 1 : rank - 2));
  __syncthreads();
  Shuffle(storage).Rotate(rank, moved, 60);
  CHECK(moved == (rank + 60) % kThreads);
  __syncthreads();
  int items[2] = {2 * rank, 2 * rank + 1}, results[2] = {-1, -1};
  Shuffle(storage).Up(items, results);
  CHECK(results[0] == 2 * rank - 1 && results[1] == 2 * rank);
  __syncthreads();
  Shuffle(storage).Up(items, results, end);
  CHECK(results[0] == 2 * rank - 1 && end == 2 * kThreads - 1);
  __syncthreads();
  results[1] = 2 * kThreads;
  Shuffle(storage).Down(items, results, end);
  CHECK(results[0] == 2 * rank + 1 && results[1] == 2 * rank + 2 && end == 0);
  __syncthreads();
  Shuffle(storage).Down(items, items);
  CHECK(items[0] == 2 * rank + 1 && items[1] == (rank == kThreads - 1 ? items[0] : 2 * rank + 2));
}

// Run r has r % 4 items, so 64 runs have 96; the last runs are empty.
__global__ void runs() {
  constexpr int kWindowItems = 2;
  using Decode = cub::BlockRunLengthDecode<char, 32, 2, kWindowItems>;
  __shared__ typename Decode::TempStorage storage;
  char values[2], items[kWindowItems];
  unsigned lengths[2], begins[2], total = 0, places[kWindowItems];
  auto begin_of = [](unsigned run) { return run / 4 * 6 + (run % 4) * (run % 4 - 1) / 2; };
  for (int i = 0; i < 2; ++i) {
    const unsigned run = threadIdx.x * 2 + i;
    values[i] = static_cast<char>(run);
    lengths[i] = run < 60 ? run % 4 : 0;
    begins[i] = begin_of(run < 60 ? run : 60);
  }
  Decode by_lengths(storage, values, lengths, total);
  CHECK(total == 90);
  for (unsigned from = 0; from < total; from += 32 * kWindowItems) {
    by_lengths.RunLengthDecode(items, places, from);
    for (int i = 0; i < kWindowItems; ++i) {
      const unsigned place = from + threadIdx.x * kWindowItems + i;
      if (place < total) CHECK(begin_of(items[i]) + places[i] == place && items[i] % 4 > 0);
    }
  }
  char first[kWindowItems];
  __syncthreads();
  Decode by_begins(storage, values, begins);
  by_begins.RunLengthDecode(first);
  by_begins.RunLengthDecode(items, places);
  CHECK(first[0] == items[0] && first[1] == items[1] && begin_of(first[1]) <= threadIdx.x * 2 + 1);
}

int main() {
  flags<<<1, dim3(16, 4)>>>();
  CHECK_OK(cudaDeviceSynchronize());
  differences<<<1, kThreads>>>();
  shuffles<<<1, kThreads>>>();
  CHECK_OK(cudaDeviceSynchronize());
  runs<<<1, 32>>>();
  CHECK_OK(cudaDeviceSynchronize());
  puts("done");
}
