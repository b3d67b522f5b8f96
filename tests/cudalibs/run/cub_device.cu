// CUB on whole arrays: reductions, scans, sorts, selections, runs and histograms
// expect: done
#include <cub/cub.cuh>

#include <cstdio>

#include "cub_call.h"

constexpr int kItems = 12;

struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

// Flags and bytes are counted in the type of the output, or in int.
void check_wide_sums() {
  constexpr int kCount = 1000;
  unsigned char* bytes_in;
  int *sums, *fraction;
  long long* total;
  CHECK_OK(cudaMallocManaged(&bytes_in, kCount));
  CHECK_OK(cudaMallocManaged(&sums, kCount * sizeof(int)));
  CHECK_OK(cudaMallocManaged(&total, sizeof(long long)));
  CHECK_OK(cudaMallocManaged(&fraction, sizeof(int)));
  for (int i = 0; i < kCount; ++i)
    bytes_in[i] = 1;
  auto is_set = [] __host__ __device__(unsigned char byte) { return byte != 0; };
  auto flags = thrust::make_transform_iterator(bytes_in, is_set);
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, flags, total, kCount);
  char* memory;
  CHECK_OK(cudaMalloc(&memory, bytes + 1));
  CubDebugExit(cub::DeviceReduce::Sum(memory, bytes, flags, total, kCount));
  CHECK(CubDebug(cudaErrorInvalidValue) == cudaErrorInvalidValue);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*total == kCount);
  CHECK_OK(cub::DeviceScan::ExclusiveSum(memory, bytes, bytes_in, sums, kCount));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(sums[0] == 0 && sums[999] == 999);
  CHECK_OK(cub::DeviceScan::InclusiveSum(memory, bytes, flags, sums, kCount));
  auto half = [] __host__ __device__(unsigned char) { return 0.5f; };
  auto halves = thrust::make_transform_iterator(bytes_in, half);
  CHECK_OK(cub::DeviceReduce::Reduce(memory, bytes, halves, fraction, kCount, cub::Sum(), 0));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(sums[999] == kCount && *fraction == kCount / 2);
}

int main() {
  check_wide_sums();
  const Managed<int> in({5, 3, 3, 8, 1, 1, 1, 9, 2, 2, 7, 0}), out, count;
  CUB(DeviceReduce::Sum(memory, bytes, in.data, out.data, kItems));
  CHECK(out.data[0] == 42);
  CUB(DeviceReduce::Max(memory, bytes, in.data, out.data, kItems));
  CHECK(out.data[0] == 9);
  CUB(DeviceReduce::Min(memory, bytes, in.data, out.data, kItems));
  CHECK(out.data[0] == 0);
  CUB(DeviceReduce::Reduce(memory, bytes, in.data, out.data, kItems, cub::Max(), 20));
  CHECK(out.data[0] == 20);
  cub::TransformInputIterator<int, Square, int*> squares(in.data, Square());
  CUB(DeviceReduce::Sum(memory, bytes, squares, out.data, 3));
  CHECK(out.data[0] == 43);
  const Managed<cub::KeyValuePair<int, int>> pair;
  CUB(DeviceReduce::ArgMax(memory, bytes, in.data, pair.data, kItems));
  CHECK(pair.data->key == 7 && pair.data->value == 9);
  CUB(DeviceReduce::ArgMin(memory, bytes, in.data, pair.data, kItems));
  CHECK(pair.data->key == 11 && pair.data->value == 0);
  const Managed<int> unique, lengths, offsets({0, 3, 3, 12});
  CUB(DeviceReduce::ReduceByKey(memory, bytes, in.data, unique.data, in.data, out.data, count.data,
                                cub::Sum(), kItems));
  CHECK(count.data[0] == 8 && unique.is({5, 3, 8, 1, 9, 2, 7, 0}));
  CHECK(out.is({5, 6, 8, 3, 9, 4, 7, 0}));
  CUB(DeviceSegmentedReduce::Sum(memory, bytes, in.data, out.data, 3, offsets.data,
                                 offsets.data + 1));
  CHECK(out.is({11, 0, 31}));

  CUB(DeviceScan::ExclusiveSum(memory, bytes, in.data, out.data, kItems));
  CHECK(out.is({0, 5, 8, 11, 19, 20, 21, 22, 31, 33, 35, 42}));
  CUB(DeviceScan::InclusiveSum(memory, bytes, in.data, out.data, kItems));
  CHECK(out.is({5, 8, 11, 19, 20, 21, 22, 31, 33, 35, 42, 42}));
  CUB(DeviceScan::InclusiveScan(memory, bytes, in.data, out.data, cub::Max(), kItems));
  CHECK(out.is({5, 5, 5, 8, 8, 8, 8, 9, 9, 9, 9, 9}));
  CUB(DeviceScan::ExclusiveScan(memory, bytes, in.data, out.data, cub::Min(), 4, kItems));
  CHECK(out.is({4, 4, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1}));

  CUB(DeviceRadixSort::SortKeys(memory, bytes, in.data, out.data, kItems));
  CHECK(out.is({0, 1, 1, 1, 2, 2, 3, 3, 5, 7, 8, 9}));
  CUB(DeviceRadixSort::SortKeysDescending(memory, bytes, in.data, out.data, kItems, 0, 2));
  CHECK(out.is({3, 3, 7, 2, 2, 5, 1, 1, 1, 9, 8, 0}));
  const Managed<float> keys({2.5f, -1, 0, -7.25f}), sorted;
  const Managed<char> letters({'a', 'b', 'c', 'd'}), moved;
  CUB(DeviceRadixSort::SortPairs(memory, bytes, keys.data, sorted.data, letters.data, moved.data,
                                 4));
  CHECK(sorted.is({-7.25f, -1, 0, 2.5f}) && moved.is({'d', 'b', 'c', 'a'}));
  CUB(DeviceRadixSort::SortPairsDescending(memory, bytes, keys.data, sorted.data, letters.data,
                                           moved.data, 4));
  CHECK(sorted.is({2.5f, 0, -1, -7.25f}) && moved.is({'a', 'c', 'b', 'd'}));
  cub::DoubleBuffer<int> buffer(out.data, unique.data);
  out.data[0] = 2;
  out.data[1] = -4;
  out.data[2] = 1;
  CUB(DeviceRadixSort::SortKeys(memory, bytes, buffer, 3));
  CHECK(buffer.Current()[0] == -4 && buffer.Current()[1] == 1 && buffer.Current()[2] == 2);

  CUB(DeviceSelect::If(memory, bytes, in.data, out.data, count.data, kItems, IsEven()));
  CHECK(count.data[0] == 4 && out.is({8, 2, 2, 0}));
  const Managed<char> flags({1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1});
  CUB(DeviceSelect::Flagged(memory, bytes, in.data, flags.data, out.data, count.data, kItems));
  CHECK(count.data[0] == 3 && out.is({5, 8, 0}));
  CUB(DeviceSelect::Unique(memory, bytes, in.data, out.data, count.data, kItems));
  CHECK(count.data[0] == 8 && out.is({5, 3, 8, 1, 9, 2, 7, 0}));
  CUB(DevicePartition::If(memory, bytes, in.data, out.data, count.data, kItems, IsEven()));
  CHECK(count.data[0] == 4 && out.is({8, 2, 2, 0, 7, 9, 1, 1, 1, 3, 3, 5}));
  CUB(DeviceRunLengthEncode::Encode(memory, bytes, in.data, unique.data, lengths.data, count.data,
                                    kItems));
  CHECK(count.data[0] == 8 && lengths.is({1, 2, 1, 3, 1, 2, 1, 1}));
  CUB(DeviceHistogram::HistogramEven(memory, bytes, in.data, out.data, 4, 0, 9, kItems));
  CHECK(out.is({6, 3, 2}));
  puts("done");
}
