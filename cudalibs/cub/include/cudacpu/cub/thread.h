// CUB for a single thread: loads and stores with a cache modifier, reductions and scans of the
// thread's items, and the numbers and shuffles that kernels with CUB use.
#pragma once

#include "warp.h"

namespace cub {

enum CacheLoadModifier {
  LOAD_DEFAULT,
  LOAD_CA,
  LOAD_CG,
  LOAD_CS,
  LOAD_CV,
  LOAD_LDG,
  LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

namespace detail {

template <typename Pointer>
constexpr bool kPlainScalar =
    std::is_pointer<Pointer>::value&& std::is_scalar<std::remove_pointer_t<Pointer>>::value;

}  // namespace detail

// The modifiers say how a GPU caches; on the CPU device only LOAD_VOLATILE and STORE_VOLATILE make
// a difference.
template <CacheLoadModifier kHow, typename In>
CUDACPU_DEVICE auto ThreadLoad(In in) {
  using Value = typename std::iterator_traits<In>::value_type;
  if constexpr (kHow == LOAD_VOLATILE && detail::kPlainScalar<In>) {
    return *static_cast<const volatile Value*>(in);
  } else {
    return static_cast<Value>(*in);
  }
}
template <CacheStoreModifier kHow, typename Out, typename T>
CUDACPU_DEVICE void ThreadStore(Out out, T value) {
  if constexpr (kHow == STORE_VOLATILE && detail::kPlainScalar<Out>) {
    *static_cast<volatile std::remove_pointer_t<Out>*>(out) = value;
  } else {
    *out = value;
  }
}

// Of an array, a std::array or a span.
template <typename Items, typename Operation>
CUDACPU_DEVICE auto ThreadReduce(const Items& items, Operation operation) {
  using Value = std::decay_t<decltype(items[0])>;
  detail::Accumulator<Operation, Value, Value> sum = items[0];
  for (size_t i = 1; i < std::size(items); ++i)
    sum = operation(sum, items[i]);
  return sum;
}
template <typename Items, typename Operation, typename Prefix>
CUDACPU_DEVICE auto ThreadReduce(const Items& items, Operation operation, Prefix prefix) {
  detail::Accumulator<Operation, std::decay_t<decltype(items[0])>, Prefix> sum = prefix;
  for (size_t i = 0; i < std::size(items); ++i)
    sum = operation(sum, items[i]);
  return sum;
}

namespace internal {

// Each returns the sum of all items and, if given, of the prefix.
template <int kItems, typename T, typename Operation>
CUDACPU_DEVICE T ThreadScanInclusive(T (&in)[kItems], T (&out)[kItems], Operation operation) {
  T sum = in[0];
  out[0] = sum;
  for (int i = 1; i < kItems; ++i)
    out[i] = sum = operation(sum, in[i]);
  return sum;
}
template <int kItems, typename T, typename Operation>
CUDACPU_DEVICE T ThreadScanInclusive(T (&in)[kItems], T (&out)[kItems], Operation operation,
                                     T prefix, bool has_prefix = true) {
  T sum = has_prefix ? T(operation(prefix, in[0])) : in[0];
  out[0] = sum;
  for (int i = 1; i < kItems; ++i)
    out[i] = sum = operation(sum, in[i]);
  return sum;
}
// The first result is `prefix` even if `has_prefix` is false.
template <int kItems, typename T, typename Operation>
CUDACPU_DEVICE T ThreadScanExclusive(T (&in)[kItems], T (&out)[kItems], Operation operation,
                                     T prefix, bool has_prefix = true) {
  T sum = has_prefix ? T(operation(prefix, in[0])) : in[0];
  out[0] = prefix;
  for (int i = 1; i < kItems; ++i) {
    const T item = in[i];
    out[i] = sum;
    sum = operation(sum, item);
  }
  return sum;
}

}  // namespace internal

CUDACPU_DEVICE inline int RowMajorTid(int x, int y, int) {
  return static_cast<int>(threadIdx.x) + x * static_cast<int>(threadIdx.y) +
         x * y * static_cast<int>(threadIdx.z);
}
CUDACPU_DEVICE inline unsigned LaneId() {
  return cudacpu::lane_id();
}
CUDACPU_DEVICE inline unsigned WarpId() {
  return detail::thread_rank() / 32;
}
// The lanes of a logical warp.
template <int kLanes>
CUDACPU_HOST_DEVICE unsigned WarpMask(unsigned warp) {
  return kLanes == 32 ? ~0u : ((1u << (kLanes % 32)) - 1) << warp * kLanes;
}
// `count` bits of a number, from bit `first` on.
template <typename Bits>
CUDACPU_DEVICE unsigned BFE(Bits bits, unsigned first, unsigned count) {
  return static_cast<unsigned>(bits >> first) & static_cast<unsigned>((1ULL << count) - 1);
}

// The value of the lane `offset` places below; the lane's own value if the source is below the lane
// `first` of the logical warp. Values may have any size.
template <int kLanes, typename T>
CUDACPU_DEVICE T ShuffleUp(T value, int offset, int first, unsigned mask) {
  const cudacpu::LaneValues<T> values(mask, value, "cub::ShuffleUp");
  const int lane = static_cast<int>(cudacpu::lane_id()), from = lane - offset;
  return from < lane / kLanes * kLanes + first ? value : values[static_cast<unsigned>(from)];
}
template <int kLanes, typename T>
CUDACPU_DEVICE T ShuffleDown(T value, int offset, int last, unsigned mask) {
  const cudacpu::LaneValues<T> values(mask, value, "cub::ShuffleDown");
  const int lane = static_cast<int>(cudacpu::lane_id()), from = lane + offset;
  return from > lane / kLanes * kLanes + last ? value : values[static_cast<unsigned>(from)];
}
template <int kLanes, typename T>
CUDACPU_DEVICE T ShuffleIndex(T value, int from, unsigned mask) {
  const cudacpu::LaneValues<T> values(mask, value, "cub::ShuffleIndex");
  return values[cudacpu::lane_id() / kLanes * kLanes + static_cast<unsigned>(from) % kLanes];
}

}  // namespace cub
