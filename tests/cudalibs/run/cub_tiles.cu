// CUB in kernels: tiles loaded, exchanged and stored by blocks, by each algorithm
// expect: done
#include <cub/cub.cuh>

#include <cstdio>

#include "../../cpudevice/run/check.h"

constexpr int kThreads = 64, kItemsPerThread = 3, kTileItems = kThreads * kItemsPerThread;

// Loads and stores a tile, whole and in part. `striped` algorithms give other items to a
// thread.
template <cub::BlockLoadAlgorithm kLoad, cub::BlockStoreAlgorithm kStore>
__global__ void tile(const int* in, int* out, bool striped) {
  using Load = cub::BlockLoad<int, kThreads, kItemsPerThread, kLoad>;
  using Store = cub::BlockStore<int, kThreads, kItemsPerThread, kStore>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  const int t = threadIdx.x;
  auto place = [=](int i) { return striped ? i * kThreads + t : t * kItemsPerThread + i; };
  int items[kItemsPerThread];
  Load(storage.load).Load(in, items);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == 10 * place(i));
  __syncthreads();
  Load(storage.load).Load(in, items, 100, -1);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == (place(i) < 100 ? 10 * place(i) : -1));
  for (int i = 0; i < kItemsPerThread; ++i)
    items[i] = 7;
  __syncthreads();
  Load(storage.load).Load(in, items, kTileItems);
  for (int i = 0; i < kItemsPerThread; ++i)
    items[i] += 1;
  __syncthreads();
  Store(storage.store).Store(out, items);
  __syncthreads();
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(out[place(i)] == 10 * place(i) + 1);
  for (int i = 0; i < kItemsPerThread; ++i)
    items[i] = -place(i);
  __syncthreads();
  Store(storage.store).Store(out, items, 100);
  __syncthreads();
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(out[place(i)] == (place(i) < 100 ? -place(i) : 10 * place(i) + 1));
}

__global__ void exchanges() {
  using Exchange = cub::BlockExchange<int, kThreads, kItemsPerThread>;
  __shared__ typename Exchange::TempStorage storage;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int items[kItemsPerThread], ranks[kItemsPerThread], flags[kItemsPerThread];
  long long wide[kItemsPerThread];
  auto fill = [&] {
    for (int i = 0; i < kItemsPerThread; ++i) {
      items[i] = t * kItemsPerThread + i;
      ranks[i] = kTileItems - 1 - items[i];
      flags[i] = items[i] % 2;
    }
    __syncthreads();
  };
  fill();
  Exchange(storage).BlockedToStriped(items, wide);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(wide[i] == i * kThreads + t);
  fill();
  Exchange(storage).BlockedToWarpStriped(items);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == warp * 32 * kItemsPerThread + i * 32 + lane);
  __syncthreads();
  Exchange(storage).WarpStripedToBlocked(items);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == t * kItemsPerThread + i);
  __syncthreads();
  Exchange(storage).ScatterToBlocked(items, ranks);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == kTileItems - 1 - (t * kItemsPerThread + i));
  fill();
  Exchange(storage).ScatterToStriped(items, ranks);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(items[i] == kTileItems - 1 - (i * kThreads + t));
  fill();
  Exchange(storage).ScatterToStripedFlagged(items, wide, ranks, flags);
  for (int i = 0; i < kItemsPerThread; ++i)
    if ((i * kThreads + t) % 2 == 0) CHECK(wide[i] == kTileItems - 1 - (i * kThreads + t));
  fill();
  for (int i = 0; i < kItemsPerThread; ++i)
    if (!flags[i]) ranks[i] = -1;
  Exchange(storage).ScatterToStripedGuarded(items, ranks);
  for (int i = 0; i < kItemsPerThread; ++i)
    if ((i * kThreads + t) % 2 == 0) CHECK(items[i] == kTileItems - 1 - (i * kThreads + t));
  using Sort = cub::BlockRadixSort<int, kThreads, kItemsPerThread, int>;
  __shared__ typename Sort::TempStorage sort;
  fill();
  Sort(sort).SortDescendingBlockedToStriped(items, ranks);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(ranks[i] == i * kThreads + t && items[i] == kTileItems - 1 - ranks[i]);
}

int main() {
  int *in, *out;
  CHECK_OK(cudaMallocManaged(&in, kTileItems * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&out, kTileItems * sizeof(int)));
  for (int i = 0; i < kTileItems; ++i)
    in[i] = 10 * i;
  using namespace cub;
  tile<BLOCK_LOAD_DIRECT, BLOCK_STORE_DIRECT><<<1, kThreads>>>(in, out, false);
  tile<BLOCK_LOAD_STRIPED, BLOCK_STORE_STRIPED><<<1, kThreads>>>(in, out, true);
  tile<BLOCK_LOAD_VECTORIZE, BLOCK_STORE_VECTORIZE><<<1, kThreads>>>(in, out, false);
  tile<BLOCK_LOAD_TRANSPOSE, BLOCK_STORE_TRANSPOSE><<<1, kThreads>>>(in, out, false);
  tile<BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE><<<1, kThreads>>>(in, out, false);
  tile<BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>
      <<<1, kThreads>>>(in, out, false);
  exchanges<<<1, kThreads>>>();
  CHECK_OK(cudaDeviceSynchronize());
  CHECK_OK(cudaFree(in));
  CHECK_OK(cudaFree(out));
  puts("done");
}
