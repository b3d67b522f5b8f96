// CUB on whole arrays: sorts of segments, scans and choices by key, merges, differences, partitions
// in three, functions of elements, and copies of many small arrays
// expect: done
#include <cub/cub.cuh>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/functional>
#include <cuda/std/tuple>

#include <cstdio>

#include "cub_call.h"

constexpr int kCount = 12;

struct IsSmall {
  __host__ __device__ bool operator()(int x) const { return x < 3; }
};
struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Double {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};
struct AddOne {
  __device__ void operator()(int& x) const { x += 1; }
};
struct SumInto {
  int* sum;
  __device__ void operator()(int x) const { atomicAdd(sum, x); }
};
struct Linear {
  __host__ __device__ int operator()(int a, short b) const { return 10 * a + b; }
};

const std::initializer_list<int> kNumbers = {5, 3, 3, 8, 1, 1, 1, 9, 2, 2, 7, 0};

void check_segments() {
  const Managed<int> in(kNumbers), out, begins({0, 4, 4}), ends({4, 4, 12});
  const Managed<char> letters({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'}), moved;
  using namespace cub;
  CUB(DeviceSegmentedRadixSort::SortKeys(memory, bytes, in.data, out.data, kCount, 3, begins.data,
                                         ends.data));
  CHECK(out.is({3, 3, 5, 8, 0, 1, 1, 1, 2, 2, 7, 9}));
  CUB(DeviceSegmentedRadixSort::SortKeysDescending(memory, bytes, in.data, out.data, kCount, 3,
                                                   begins.data, ends.data, 0, 2));
  CHECK(out.is({3, 3, 5, 8, 7, 2, 2, 1, 1, 1, 9, 0}));
  CUB(DeviceSegmentedRadixSort::SortPairs(memory, bytes, in.data, out.data, letters.data,
                                          moved.data, kCount, 3, begins.data, ends.data));
  CHECK(moved.is({'b', 'c', 'a', 'd', 'l', 'e', 'f', 'g', 'i', 'j', 'k', 'h'}));
  CUB(DeviceSegmentedRadixSort::SortPairsDescending(memory, bytes, in.data, out.data, letters.data,
                                                    moved.data, kCount, 3, begins.data, ends.data));
  CHECK(moved.is({'d', 'a', 'b', 'c', 'h', 'k', 'i', 'j', 'e', 'f', 'g', 'l'}));
  CUB(DeviceSegmentedSort::StableSortKeys(memory, bytes, in.data, out.data, kCount, 3, begins.data,
                                          ends.data));
  CHECK(out.is({3, 3, 5, 8, 0, 1, 1, 1, 2, 2, 7, 9}));
  CUB(DeviceSegmentedSort::StableSortPairsDescending(memory, bytes, in.data, out.data, letters.data,
                                                     moved.data, kCount, 3, begins.data,
                                                     ends.data));
  CHECK(out.is({8, 5, 3, 3, 9, 7, 2, 2, 1, 1, 1, 0}) && moved.data[0] == 'd');
  const Managed<int> first({4, -2, 9, 6}), second;
  const Managed<float> values({.5f, 1.5f, 2.5f, 3.5f}), spare;
  const Managed<int> bounds({0, 2, 4});
  DoubleBuffer<int> keys(first.data, second.data);
  DoubleBuffer<float> floats(values.data, spare.data);
  CUB(DeviceSegmentedSort::SortKeysDescending(memory, bytes, keys, 4, 2, bounds.data,
                                              bounds.data + 1));
  const int* sorted = keys.Current();
  CHECK(sorted[0] == 4 && sorted[1] == -2 && sorted[2] == 9 && sorted[3] == 6);
  CUB(DeviceSegmentedRadixSort::SortPairs(memory, bytes, keys, floats, 4, 2, bounds.data,
                                          bounds.data + 1));
  sorted = keys.Current();
  CHECK(sorted[0] == -2 && sorted[1] == 4 && sorted[2] == 6 && sorted[3] == 9);
  CHECK(floats.Current()[0] == 1.5f && floats.Current()[3] == 2.5f);
}

void check_sorts() {
  const Managed<int> first({4, -2, 9, 6}), second;
  const Managed<char> letters({'a', 'b', 'c', 'd'}), moved;
  cub::DoubleBuffer<int> keys(first.data, second.data);
  CUB(DeviceRadixSort::SortKeysDescending(memory, bytes, keys, 4));
  CHECK(keys.Current()[0] == 9 && keys.Current()[3] == -2);
  const int* const in = keys.Current();  // 9 6 4 -2
  const auto by_size = [] __device__(int a, int b) { return a * a < b * b; };
  const Managed<int> out;
  CUB(DeviceMergeSort::SortKeysCopy(memory, bytes, in, out.data, 4, by_size));
  CHECK(out.is({-2, 4, 6, 9}) && in[0] == 9);
  CUB(DeviceMergeSort::SortPairsCopy(memory, bytes, in, letters.data, out.data, moved.data, 4,
                                     by_size));
  CHECK(moved.is({'d', 'c', 'b', 'a'}));
  CUB(DeviceMergeSort::StableSortKeys(memory, bytes, out.data, 4,
                                      [] __device__(int a, int b) { return a / 5 < b / 5; }));
  CHECK(out.is({-2, 4, 6, 9}));
  CUB(DeviceMerge::MergeKeys(memory, bytes, out.data, 4, out.data + 1, 2, first.data));
  CHECK(first.is({-2, 4, 4, 6, 6, 9}));
  const Managed<char> merged;
  CUB(DeviceMerge::MergePairs(memory, bytes, out.data, letters.data, 4, out.data + 1, moved.data, 2,
                              first.data, merged.data));
  CHECK(first.is({-2, 4, 4, 6, 6, 9}) && merged.is({'a', 'b', 'd', 'c', 'c', 'd'}));
}

void check_scans() {
  const Managed<int> in(kNumbers), keys({1, 1, 1, 2, 2, 3, 1, 1, 1, 1, 4, 4}), out, initial({100});
  CUB(DeviceScan::InclusiveSumByKey(memory, bytes, keys.data, in.data, out.data, kCount));
  CHECK(out.is({5, 8, 11, 8, 9, 1, 1, 10, 12, 14, 7, 7}));
  CUB(DeviceScan::ExclusiveSumByKey(memory, bytes, keys.data, in.data, out.data, kCount));
  CHECK(out.is({0, 5, 8, 0, 8, 0, 0, 1, 10, 12, 0, 7}));
  CUB(DeviceScan::InclusiveScanByKey(memory, bytes, keys.data, in.data, out.data, cuda::maximum<>{},
                                     kCount));
  CHECK(out.is({5, 5, 5, 8, 8, 1, 1, 9, 9, 9, 7, 7}));
  CUB(DeviceScan::ExclusiveScanByKey(memory, bytes, keys.data, in.data, out.data, cuda::minimum<>{},
                                     4, kCount));
  CHECK(out.is({4, 4, 3, 4, 4, 4, 4, 1, 1, 1, 4, 4}));
  CUB(DeviceScan::InclusiveScanInit(memory, bytes, in.data, out.data, cuda::std::plus<>{}, 10, 3));
  CHECK(out.is({15, 18, 21}));
  const cub::FutureValue<int> future(initial.data);
  CUB(DeviceScan::ExclusiveScan(memory, bytes, in.data, out.data, cuda::std::plus<>{}, future, 3));
  CHECK(out.is({100, 105, 108}));
}

void check_choices() {
  const Managed<int> in(kNumbers), out, second, rest, counts;
  const Managed<char> letters({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'}), moved;
  CUB(DeviceSelect::UniqueByKey(memory, bytes, in.data, letters.data, out.data, moved.data,
                                counts.data, kCount));
  CHECK(counts.data[0] == 8 && out.is({5, 3, 8, 1, 9, 2, 7, 0}));
  CHECK(moved.is({'a', 'b', 'd', 'e', 'h', 'i', 'k', 'l'}));
  CUB(DeviceSelect::FlaggedIf(memory, bytes, letters.data, in.data, moved.data, counts.data, kCount,
                              IsEven()));
  CHECK(counts.data[0] == 4 && moved.is({'d', 'i', 'j', 'l'}));
  CUB(DevicePartition::If(memory, bytes, in.data, out.data, second.data, rest.data, counts.data,
                          kCount, IsSmall(), IsEven()));
  CHECK(counts.is({6, 1}) && out.is({1, 1, 1, 2, 2, 0}) && second.is({8}));
  CHECK(rest.is({5, 3, 3, 9, 7}));
  CUB(DeviceRunLengthEncode::NonTrivialRuns(memory, bytes, in.data, out.data, second.data,
                                            counts.data, kCount));
  CHECK(counts.data[0] == 3 && out.is({1, 4, 8}) && second.is({2, 3, 2}));
  Managed<int> data(kNumbers);
  CUB(DeviceSelect::If(memory, bytes, data.data, counts.data, kCount, IsSmall()));
  CHECK(counts.data[0] == 6 && data.is({1, 1, 1, 2, 2, 0}));
  CUB(DeviceSelect::Flagged(memory, bytes, data.data, in.data + 6, counts.data, 6));
  CHECK(counts.data[0] == 5 && data.is({1, 1, 1, 2, 2}));
}

void check_elements() {
  const Managed<int> in(kNumbers), out, sum, index;
  const Managed<short> units({1, 2, 3, 4});
  CHECK_OK(cub::DeviceTransform::Transform(in.data, out.data, 4, Double()));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out.is({10, 6, 6, 16}));
  CHECK_OK(cub::DeviceTransform::Transform(cuda::std::make_tuple(in.data, units.data), out.data, 4,
                                           Linear()));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out.is({51, 32, 33, 84}));
  CUB(DeviceAdjacentDifference::SubtractLeftCopy(memory, bytes, in.data, out.data, 5));
  CHECK(out.is({5, -2, 0, 5, -7}));
  CUB(DeviceAdjacentDifference::SubtractRightCopy(memory, bytes, in.data, out.data, 5,
                                                  cuda::std::plus<>{}));
  CHECK(out.is({8, 6, 11, 9, 1}));
  CUB(DeviceAdjacentDifference::SubtractLeft(memory, bytes, out.data, 5));
  CHECK(out.is({8, -2, 5, -2, -8}));
  CUB(DeviceAdjacentDifference::SubtractRight(memory, bytes, out.data, 5));
  CHECK(out.is({10, -7, 7, 6, -8}));
  CUB(DeviceReduce::TransformReduce(memory, bytes, in.data, sum.data, 4, cuda::std::plus<>{},
                                    Double(), 1));
  CHECK(sum.data[0] == 39);
  CUB(DeviceReduce::ArgMax(memory, bytes, in.data, sum.data, index.data, kCount));
  CHECK(sum.data[0] == 9 && index.data[0] == 7);
  CUB(DeviceReduce::ArgMin(memory, bytes, in.data, sum.data, index.data, kCount));
  CHECK(sum.data[0] == 0 && index.data[0] == 11);
  *sum.data = 0;
  CHECK_OK(cub::DeviceFor::ForEachN(out.data, 3, AddOne()));
  CHECK_OK(cub::DeviceFor::ForEachCopy(out.data, out.data + 4, SumInto{sum.data}));
  CHECK_OK(cub::DeviceFor::ForEachCopyN(out.data, 2, SumInto{sum.data}));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out.is({11, -6, 8, 6}) && sum.data[0] == 19 + 5);
}

void check_copies() {
  const Managed<int> in(kNumbers), out({0, 0, 0, 0, 0, 0, 0, 0});
  const Managed<int*> from({in.data, in.data + 7, in.data + 3}),
      to({out.data + 1, out.data, out.data + 5});
  const Managed<int> sizes({8, 4, 0}), counts({2, 1, 3});
  CUB(DeviceMemcpy::Batched(memory, bytes, from.data, to.data, sizes.data, 3));
  CHECK(out.is({9, 5, 3, 0, 0, 0, 0, 0}));
  CUB(DeviceCopy::Batched(memory, bytes, from.data, to.data, counts.data, 3));
  CHECK(out.is({9, 5, 3, 0, 0, 8, 1, 1}));
}

int main() {
  check_segments();
  check_sorts();
  check_scans();
  check_choices();
  check_elements();
  check_copies();
  puts("done");
}
