// cub::BlockRunLengthDecode: writes out runs of equal values, a window of the result at a time.
#pragma once

#include "block.h"

namespace cub {

template <typename T, int kX, int kRunsPerThread, int kDecodedPerThread, typename Offset = uint32_t,
          int kY = 1, int kZ = 1>
class BlockRunLengthDecode {
  static constexpr int kRuns = kX * kY * kZ * kRunsPerThread;
  using Scan = BlockScan<Offset, kX, BLOCK_SCAN_RAKING_MEMOIZE, kY, kZ>;

 public:
  union TempStorage {
    typename Scan::TempStorage scan;
    struct {
      detail::Room<T, kRuns> values;
      detail::Room<Offset, kRuns> begins;
    } runs;
  };

  // By the lengths of the runs; only runs at the end may be empty. `total` becomes the sum of the
  // lengths.
  template <typename Length, typename Total>
  CUDACPU_DEVICE BlockRunLengthDecode(TempStorage& storage, T (&values)[kRunsPerThread],
                                      Length (&lengths)[kRunsPerThread], Total& total)
      : stored_(storage) {
    by_lengths(values, lengths, total);
  }
  template <typename Length, typename Total>
  CUDACPU_DEVICE BlockRunLengthDecode(T (&values)[kRunsPerThread],
                                      Length (&lengths)[kRunsPerThread], Total& total) {
    by_lengths(values, lengths, total);
  }
  // By the places where the runs begin.
  template <typename Begin>
  CUDACPU_DEVICE BlockRunLengthDecode(TempStorage& storage, T (&values)[kRunsPerThread],
                                      Begin (&begins)[kRunsPerThread])
      : stored_(storage) {
    share(values, begins);
  }
  template <typename Begin>
  CUDACPU_DEVICE BlockRunLengthDecode(T (&values)[kRunsPerThread],
                                      Begin (&begins)[kRunsPerThread]) {
    share(values, begins);
  }

  // The window's items from place `from` on; `places` are the items' places in their runs. Items
  // after the end of the last run have the last run's value.
  template <typename Place>
  CUDACPU_DEVICE void RunLengthDecode(T (&items)[kDecodedPerThread],
                                      Place (&places)[kDecodedPerThread], Offset from = 0) {
    auto& runs = stored_.storage.runs;
    Offset place = from + static_cast<Offset>(detail::thread_rank() * kDecodedPerThread);
    int run = 0;  // the last run that does not begin after `place`
    for (int after = kRuns; after - run > 1;) {
      const int middle = (run + after) / 2;
      (place < runs.begins[middle] ? after : run) = middle;
    }
    for (int i = 0; i < kDecodedPerThread; ++i, ++place) {
      while (run + 1 < kRuns && !(place < runs.begins[run + 1]))
        ++run;
      items[i] = runs.values[run];
      places[i] = static_cast<Place>(place - runs.begins[run]);
    }
  }
  CUDACPU_DEVICE void RunLengthDecode(T (&items)[kDecodedPerThread], Offset from = 0) {
    Offset places[kDecodedPerThread];
    RunLengthDecode(items, places, from);
  }

 private:
  template <typename Length, typename Total>
  CUDACPU_DEVICE void by_lengths(T (&values)[kRunsPerThread], Length (&lengths)[kRunsPerThread],
                                 Total& total) {
    Offset begins[kRunsPerThread], all;
    for (int i = 0; i < kRunsPerThread; ++i)
      begins[i] = static_cast<Offset>(lengths[i]);
    Scan(stored_.storage.scan).ExclusiveSum(begins, begins, all);
    total = static_cast<Total>(all);
    __syncthreads();  // the scan's storage is free
    share(values, begins);
  }
  template <typename Begin>
  CUDACPU_DEVICE void share(T (&values)[kRunsPerThread], Begin (&begins)[kRunsPerThread]) {
    auto& runs = stored_.storage.runs;
    const unsigned first = detail::thread_rank() * kRunsPerThread;
    for (int i = 0; i < kRunsPerThread; ++i) {
      runs.values[first + i] = values[i];
      runs.begins[first + i] = static_cast<Offset>(begins[i]);
    }
    __syncthreads();
  }
  detail::Stored<TempStorage> stored_;
};

}  // namespace cub
