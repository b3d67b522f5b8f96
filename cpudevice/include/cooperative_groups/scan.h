// inclusive_scan() and exclusive_scan() over a tile or a coalesced group.
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_

#include "reduce.h"

namespace cooperative_groups {

template <typename Group, typename T, typename Operation>
CUDACPU_DEVICE details::Plain<T> inclusive_scan(const Group& group, T&& value,
                                                Operation&& operation) {
  using Value = details::Plain<T>;
  const cudacpu::LaneValues<Value> values(group._lanes(), value, "inclusive_scan() of a group");
  cudacpu::count_steps(values, false);
  const unsigned lane = cudacpu::lane_id();
  return cudacpu::fold<Value>(values, values.present() & (cudacpu::lanes_below(lane) | 1u << lane),
                              value, operation);
}
template <typename Group, typename T>
CUDACPU_DEVICE details::Plain<T> inclusive_scan(const Group& group, T&& value) {
  return inclusive_scan(group, value, plus<details::Plain<T>>());
}

// The first thread gets a value-initialised T.
template <typename Group, typename T, typename Operation>
CUDACPU_DEVICE details::Plain<T> exclusive_scan(const Group& group, T&& value,
                                                Operation&& operation) {
  using Value = details::Plain<T>;
  const cudacpu::LaneValues<Value> values(group._lanes(), value, "exclusive_scan() of a group");
  cudacpu::count_steps(values, false);
  const unsigned below = values.present() & cudacpu::lanes_below(cudacpu::lane_id());
  return cudacpu::fold<Value>(values, below, Value{}, operation);
}
template <typename Group, typename T>
CUDACPU_DEVICE details::Plain<T> exclusive_scan(const Group& group, T&& value) {
  return exclusive_scan(group, value, plus<details::Plain<T>>());
}

}  // namespace cooperative_groups

#endif
