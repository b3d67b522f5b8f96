// CUB's primitives for a warp: reductions and scans over 32 lanes, or over tiles of fewer lanes.
#pragma once

#include "cudacpu/device/lanes.h"

#include "common.h"

namespace cub {
namespace detail {

// The lanes of the thread's logical warp.
template <int kLanes>
CUDACPU_DEVICE unsigned tile() {
  if (kLanes == 32) return ~0u;
  return ((1u << (kLanes % 32)) - 1) << cudacpu::lane_id() / kLanes * kLanes;
}

}  // namespace detail

template <typename T, int kLanes = 32, int = 0>
class WarpReduce {
 public:
  struct TempStorage {};
  CUDACPU_DEVICE explicit WarpReduce(TempStorage&) {}

  // CUB gives the result to the first lane; on the CPU device the other lanes get the result as
  // well.
  template <typename Operation>
  CUDACPU_DEVICE T Reduce(T value, Operation operation) {
    return Reduce(value, operation, kLanes);
  }
  template <typename Operation>
  CUDACPU_DEVICE T Reduce(T value, Operation operation, int valid) {
    const unsigned lanes = detail::tile<kLanes>();
    const cudacpu::LaneValues<T> values(lanes, value, "cub::WarpReduce");
    cudacpu::count_steps(values, false);
    const unsigned first = cudacpu::lane_id() / kLanes * kLanes;
    const unsigned wanted = valid >= 32 ? ~0u : ((1u << valid) - 1) << first;
    return cudacpu::fold<T>(values, values.present() & wanted, value, operation);
  }
  CUDACPU_DEVICE T Sum(T value) { return Reduce(value, cub::Sum()); }
  CUDACPU_DEVICE T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }

  // Segments begin at each lane with a flag, or end at each such lane. A lane gets the result from
  // itself to the end of its segment, so the first lane gets the whole segment's.
  template <typename Flag, typename Operation>
  CUDACPU_DEVICE T HeadSegmentedReduce(T value, Flag is_head, Operation operation) {
    const unsigned after = flagged(is_head) & ~cudacpu::lanes_below(cudacpu::lane_id()) & ~own();
    return to_end(value, after ? (after & -after) - 1 : ~0u, operation);
  }
  template <typename Flag, typename Operation>
  CUDACPU_DEVICE T TailSegmentedReduce(T value, Flag is_tail, Operation operation) {
    const unsigned from = flagged(is_tail) & ~cudacpu::lanes_below(cudacpu::lane_id());
    return to_end(value, from ? 2 * (from & -from) - 1 : ~0u, operation);
  }
  template <typename Flag>
  CUDACPU_DEVICE T HeadSegmentedSum(T value, Flag is_head) {
    return HeadSegmentedReduce(value, is_head, cub::Sum());
  }
  template <typename Flag>
  CUDACPU_DEVICE T TailSegmentedSum(T value, Flag is_tail) {
    return TailSegmentedReduce(value, is_tail, cub::Sum());
  }

 private:
  CUDACPU_DEVICE static unsigned own() { return 1u << cudacpu::lane_id(); }
  template <typename Flag>
  CUDACPU_DEVICE static unsigned flagged(Flag flag) {
    return __ballot_sync(detail::tile<kLanes>(), flag ? 1 : 0);
  }
  // The result of the lane and the higher lanes that are in `lanes`.
  template <typename Operation>
  CUDACPU_DEVICE static T to_end(T value, unsigned lanes, Operation& operation) {
    const cudacpu::LaneValues<T> values(detail::tile<kLanes>(), value, "cub::WarpReduce");
    cudacpu::count_steps(values, false);
    lanes &= values.present() & detail::tile<kLanes>();
    return cudacpu::fold<T>(values, lanes & ~cudacpu::lanes_below(cudacpu::lane_id()), value,
                            operation);
  }
};

template <typename T, int kLanes = 32, int = 0>
class WarpScan {
 public:
  struct TempStorage {};
  CUDACPU_DEVICE explicit WarpScan(TempStorage&) {}

  template <typename Operation>
  CUDACPU_DEVICE void InclusiveScan(T value, T& result, Operation operation, T& all) {
    scan(value, &result, nullptr, nullptr, operation, &all);
  }
  template <typename Operation>
  CUDACPU_DEVICE void InclusiveScan(T value, T& result, Operation operation) {
    scan(value, &result, nullptr, nullptr, operation, nullptr);
  }
  template <typename Operation>
  CUDACPU_DEVICE void InclusiveScan(T value, T& result, T initial, Operation operation, T& all) {
    scan(value, &result, nullptr, &initial, operation, &all);
  }
  template <typename Operation>
  CUDACPU_DEVICE void InclusiveScan(T value, T& result, T initial, Operation operation) {
    scan(value, &result, nullptr, &initial, operation, nullptr);
  }
  template <typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, T initial, Operation operation, T& all) {
    scan(value, nullptr, &result, &initial, operation, &all);
  }
  template <typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, T initial, Operation operation) {
    scan(value, nullptr, &result, &initial, operation, nullptr);
  }
  // Without an initial value the first lane's result means nothing.
  template <typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, Operation operation, T& all) {
    scan(value, nullptr, &result, nullptr, operation, &all);
  }
  template <typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, Operation operation) {
    scan(value, nullptr, &result, nullptr, operation, nullptr);
  }
  template <typename Operation>
  CUDACPU_DEVICE void Scan(T value, T& inclusive, T& exclusive, Operation operation) {
    scan(value, &inclusive, &exclusive, nullptr, operation, nullptr);
  }
  template <typename Operation>
  CUDACPU_DEVICE void Scan(T value, T& inclusive, T& exclusive, T initial, Operation operation) {
    scan(value, &inclusive, &exclusive, &initial, operation, nullptr);
  }
  CUDACPU_DEVICE void InclusiveSum(T value, T& result) { InclusiveScan(value, result, cub::Sum()); }
  CUDACPU_DEVICE void InclusiveSum(T value, T& result, T& all) {
    InclusiveScan(value, result, cub::Sum(), all);
  }
  CUDACPU_DEVICE void ExclusiveSum(T value, T& result) {
    ExclusiveScan(value, result, T(), cub::Sum());
  }
  CUDACPU_DEVICE void ExclusiveSum(T value, T& result, T& all) {
    ExclusiveScan(value, result, T(), cub::Sum(), all);
  }
  CUDACPU_DEVICE T Broadcast(T value, unsigned lane) {
    const cudacpu::LaneValues<T> values(detail::tile<kLanes>(), value, "cub::WarpScan::Broadcast");
    return values[cudacpu::lane_id() / kLanes * kLanes + lane];
  }

 private:
  template <typename Operation>
  CUDACPU_DEVICE void scan(T value, T* inclusive, T* exclusive, const T* initial,
                           Operation operation, T* all) {
    const cudacpu::LaneValues<T> values(detail::tile<kLanes>(), value, "cub::WarpScan");
    cudacpu::count_steps(values, false);
    const unsigned present = values.present() & detail::tile<kLanes>();
    const unsigned below = present & cudacpu::lanes_below(cudacpu::lane_id());
    if (all) *all = cudacpu::fold<T>(values, present, value, operation);
    T before = below ? cudacpu::fold<T>(values, below, value, operation) : value;
    if (initial) before = below ? T(operation(*initial, before)) : *initial;
    if (exclusive) *exclusive = before;
    if (inclusive) *inclusive = below || initial ? T(operation(before, value)) : value;
  }
};

}  // namespace cub
