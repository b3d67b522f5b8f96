// CUB's primitives for a warp: reductions and scans over 32 lanes, or over tiles of fewer lanes.
#pragma once

#include "cudacpu/device/lanes.h"

#include "common.h"

namespace cub {
namespace detail {

// The lanes of this thread's logical warp.
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

  // CUB gives the result to the first lane; here the others get it as well.
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
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, T initial, Operation operation, T& all) {
    scan(value, nullptr, &result, &initial, operation, &all);
  }
  template <typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, T initial, Operation operation) {
    scan(value, nullptr, &result, &initial, operation, nullptr);
  }
  template <typename Operation>
  CUDACPU_DEVICE void ExclusiveScan(T value, T& result, Operation operation) {
    scan(value, nullptr, &result, nullptr, operation, nullptr);
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
    if (inclusive) {
      *inclusive =
          below ? T(operation(cudacpu::fold<T>(values, below, value, operation), value)) : value;
    }
    if (!exclusive) return;
    if (below) {
      const T before = cudacpu::fold<T>(values, below, value, operation);
      *exclusive = initial ? T(operation(*initial, before)) : before;
    } else {
      *exclusive = initial ? *initial : value;
    }
  }
};

}  // namespace cub
