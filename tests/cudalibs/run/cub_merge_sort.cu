// CUB in kernels: merge sorts of blocks and warps, of keys and pairs, whole and in part
// expect: done
#include <cub/cub.cuh>

#include <cstdio>

#include "../../cpudevice/run/check.h"

constexpr int kThreads = 64, kItemsPerThread = 3, kItems = kThreads * kItemsPerThread;

struct ByTens {
  __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

__global__ void block() {
  using Keys = cub::BlockMergeSort<int, kThreads, kItemsPerThread>;
  using Pairs = cub::BlockMergeSort<int, kThreads, kItemsPerThread, short>;
  __shared__ union {
    typename Keys::TempStorage keys;
    typename Pairs::TempStorage pairs;
  } storage;
  const int first = threadIdx.x * kItemsPerThread;
  int keys[kItemsPerThread];
  short values[kItemsPerThread];
  const auto less = [](int a, int b) { return a < b; };
  auto fill = [&] {
    for (int i = 0; i < kItemsPerThread; ++i) {
      keys[i] = (first + i) * 77 % kItems;  // a permutation
      values[i] = static_cast<short>(first + i);
    }
    __syncthreads();
  };
  fill();
  Keys(storage.keys).Sort(keys, less);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(keys[i] == first + i);
  fill();
  Pairs(storage.pairs).Sort(keys, values, less);
  for (int i = 0; i < kItemsPerThread; ++i)
    CHECK(keys[i] == first + i && values[i] * 77 % kItems == keys[i]);
  fill();
  Pairs(storage.pairs).StableSort(keys, values, ByTens());
  // Within a ten the keys have kept the old order, which the values show.
  __shared__ int all[kItems];
  for (int i = 0; i < kItemsPerThread; ++i)
    all[first + i] = values[i];
  __syncthreads();
  for (int i = 0; i < kItemsPerThread; ++i) {
    CHECK(keys[i] / 10 == (first + i) / 10 && values[i] * 77 % kItems == keys[i]);
    if ((first + i) % 10 > 0) CHECK(all[first + i - 1] < all[first + i]);
  }
  fill();
  Keys(storage.keys).StableSort(keys, less, 2, 1000);
  if (threadIdx.x == 0) CHECK(keys[0] == 0 && keys[1] == 77 && keys[2] == 1000);
  fill();
  Pairs(storage.pairs).Sort(keys, values, less, 100, 1000);
  __syncthreads();
  for (int i = 0; i < kItemsPerThread; ++i)
    all[first + i] = keys[i];
  __syncthreads();
  for (int i = 0; i < kItemsPerThread; ++i) {
    const int place = first + i;
    if (place < 100) CHECK(values[i] < 100 && values[i] * 77 % kItems == keys[i]);
    if (place < 100 && place > 0) CHECK(all[place - 1] < all[place]);
  }
}

__global__ void warps() {
  using Whole = cub::WarpMergeSort<float, 2>;
  using Part = cub::WarpMergeSort<unsigned char, 4, 8, int>;
  __shared__ typename Whole::TempStorage whole[2];
  __shared__ typename Part::TempStorage part[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float keys[2] = {-2.f * lane, -2.f * lane - 1};
  Whole(whole[warp]).Sort(keys, [](float a, float b) { return a < b; });
  CHECK(keys[0] == 2 * lane - 63 && keys[1] == 2 * lane - 62);
  unsigned char letters[4];
  int values[4];
  const int rank = lane % 8;
  for (int item = 0; item < 4; ++item) {
    values[item] = 4 * rank + item;
    letters[item] = static_cast<unsigned char>(values[item] * 5 % 32);
  }
  Part(part[threadIdx.x / 8]).StableSort(letters, values, [](int a, int b) { return a > b; });
  for (int i = 0; i < 4; ++i)
    CHECK(letters[i] == 31 - 4 * rank - i && values[i] * 5 % 32 == letters[i]);
}

int main() {
  block<<<1, kThreads>>>();
  CHECK_OK(cudaDeviceSynchronize());
  warps<<<1, kThreads>>>();
  CHECK_OK(cudaDeviceSynchronize());
  puts("done");
}
