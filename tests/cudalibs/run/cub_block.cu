// CUB in kernels: reductions, scans, loads, stores, exchanges, sorts and histograms of blocks and
// warps
// expect: done
#include <cub/cub.cuh>
#include <cuda/functional>

#include <cstdio>

#include "../../cpudevice/run/check.h"

constexpr int kBlockSize = 64, kItemsPerThread = 3;

__global__ void reduce(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, kBlockSize>;
  using Scan = cub::BlockScan<int, kBlockSize, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } storage;
  const int t = threadIdx.x;
  int sum = Reduce(storage.reduce).Sum(in[t]);
  if (t == 0) CHECK(sum == 64 * 63 / 2);
  __syncthreads();
  int items[2] = {in[t], -in[t]};
  sum = Reduce(storage.reduce).Reduce(items, [](int a, int b) { return a < b ? b : a; });
  if (t == 0) CHECK(sum == 63);
  __syncthreads();
  sum = Reduce(storage.reduce).Reduce(in[t], cub::Max(), 10);
  if (t == 0) CHECK(sum == 9);
  __syncthreads();
  int before, all;
  Scan(storage.scan).ExclusiveSum(in[t], before, all);
  CHECK(before == t * (t - 1) / 2 && all == 64 * 63 / 2);
  __syncthreads();
  Scan(storage.scan).InclusiveSum(in[t], before);
  CHECK(before == t * (t + 1) / 2);
  __syncthreads();
  Scan(storage.scan).ExclusiveScan(in[t], before, -5, cub::Max());
  CHECK(before == (t == 0 ? -5 : t - 1));
  __syncthreads();
  int many[kItemsPerThread] = {1, 2, 3}, sums[kItemsPerThread];
  Scan(storage.scan).ExclusiveSum(many, sums, all);
  CHECK(sums[0] == 6 * t && sums[1] == 6 * t + 1 && sums[2] == 6 * t + 3 && all == 6 * kBlockSize);
  __syncthreads();
  Scan(storage.scan).InclusiveSum(many, many);
  CHECK(many[0] == 6 * t + 1 && many[1] == 6 * t + 3 && many[2] == 6 * t + 6);
  out[t] = sum;
}

// Carries the sum from tile to tile.
struct Running {
  int sum;
  __device__ int operator()(int tile) {
    const int before = sum;
    sum += tile;
    return before;
  }
};
__global__ void tiles(const int* in, int* out) {
  using Scan = cub::BlockScan<int, kBlockSize>;
  __shared__ typename Scan::TempStorage storage;
  Running running{100};
  for (int first = 0; first < 4 * kBlockSize; first += kBlockSize) {
    int before;
    Scan(storage).ExclusiveSum(in[threadIdx.x], before, running);
    out[first + threadIdx.x] = before;
    __syncthreads();
  }
}

__global__ void sort(const float* in, float* out, int* from) {
  using Load = cub::BlockLoad<float, kBlockSize, kItemsPerThread, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<float, kBlockSize, kItemsPerThread, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<float, kBlockSize, kItemsPerThread, int>;
  using Exchange = cub::BlockExchange<int, kBlockSize, kItemsPerThread>;
  __shared__ typename Load::TempStorage load;
  __shared__ typename Store::TempStorage store;
  __shared__ typename Sort::TempStorage storage;
  __shared__ typename Exchange::TempStorage exchange;
  float keys[kItemsPerThread];
  int values[kItemsPerThread];
  Load(load).Load(in, keys);
  for (int i = 0; i < kItemsPerThread; ++i)
    values[i] = kItemsPerThread * threadIdx.x + i;
  Sort(storage).Sort(keys, values);
  Store(store).Store(out, keys);
  Exchange(exchange).BlockedToStriped(values);
  for (int i = 0; i < kItemsPerThread; ++i)
    from[i * kBlockSize + threadIdx.x] = values[i];
  unsigned few[1] = {threadIdx.x % 8};
  using Digits = cub::BlockRadixSort<unsigned, kBlockSize, 1>;
  __shared__ typename Digits::TempStorage digits;
  Digits(digits).SortDescending(few, 1, 3);
  CHECK(few[0] / 2 == 3 - threadIdx.x / 16);
  using Histogram = cub::BlockHistogram<unsigned, kBlockSize, 1, 8>;
  __shared__ typename Histogram::TempStorage bins_storage;
  __shared__ unsigned bins[8];
  Histogram(bins_storage).Histogram(few, bins);
  __syncthreads();
  CHECK(bins[threadIdx.x % 8] == 8);
}

__global__ void warps() {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int>;
  using Small = cub::WarpReduce<int, 8>;
  __shared__ typename Reduce::TempStorage reduce[2];
  __shared__ typename Scan::TempStorage scan[2];
  __shared__ typename Small::TempStorage small[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  CHECK(cub::LaneId() == threadIdx.x % 32 && cub::WarpId() == threadIdx.x / 32 &&
        cub::BFE(0x1234u, 4, 8) == 0x23);
  int sum = Reduce(reduce[warp]).Sum(lane);
  if (lane == 0) CHECK(sum == 496);
  sum = Small(small[threadIdx.x / 8]).Reduce(lane, cuda::maximum<>());
  if (lane % 8 == 0) CHECK(sum == lane + 7);
  int inclusive, exclusive, all;
  Scan(scan[warp]).InclusiveSum(lane, inclusive);
  Scan(scan[warp]).ExclusiveSum(lane, exclusive, all);
  CHECK(inclusive == lane * (lane + 1) / 2 && exclusive == lane * (lane - 1) / 2 && all == 496);
  CHECK(Scan(scan[warp]).Broadcast(lane, 5) == 5);
}

int main() {
  // The header brings the short floats along.
  static_assert(sizeof(half) == 2 && sizeof(nv_bfloat16) == 2);
  int *in, *out;
  float *keys, *sorted;
  cudaMallocManaged(&in, kBlockSize * sizeof(int));
  cudaMallocManaged(&out, 4 * kBlockSize * sizeof(int));
  cudaMallocManaged(&keys, kBlockSize * kItemsPerThread * sizeof(float));
  cudaMallocManaged(&sorted, kBlockSize * kItemsPerThread * sizeof(float));
  for (int i = 0; i < kBlockSize; ++i)
    in[i] = i;
  for (int i = 0; i < kBlockSize * kItemsPerThread; ++i)
    keys[i] = static_cast<float>(i * 77 % 192) - 96;
  reduce<<<1, kBlockSize>>>(in, out);
  tiles<<<1, kBlockSize>>>(in, out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 100 && out[1] == 100 && out[3] == 103 && out[64] == 100 + 2016);
  CHECK(out[255] == 100 + 3 * 2016 + 62 * 63 / 2);
  sort<<<1, kBlockSize>>>(keys, sorted, out);
  warps<<<1, 64>>>();
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kBlockSize * kItemsPerThread; ++i)
    CHECK(sorted[i] == i - 96 && keys[out[i]] == sorted[i]);
  CHECK_OK(cudaFree(in));
  CHECK_OK(cudaFree(out));
  CHECK_OK(cudaFree(keys));
  CHECK_OK(cudaFree(sorted));
  puts("done");
}
