// cub::DeviceSegmentedSort and cub::DeviceSegmentedRadixSort: each segment of an array by itself.
#pragma once

#include "device.h"

namespace cub {
namespace detail {

// Sorts each segment of `in` into the same place of `out`; without values, Value is NullType.
template <typename Key, typename Value, typename Begins, typename Ends>
CUDACPU_HOST_DEVICE cudaError_t sort_segments(void* memory, size_t& bytes, const Key* in, Key* out,
                                              const Value* values, Value* out_values,
                                              long long segments, Begins begins, Ends ends,
                                              DigitOrder<Key> before, cudaStream_t stream) {
  return run(memory, bytes, stream, [=] {
    for (long long segment = 0; segment < segments; ++segment) {
      const long long begin = begins[segment], end = ends[segment];
      for (long long i = begin; i < end; ++i) {
        out[i] = in[i];
        if constexpr (!std::is_same<Value, NullType>::value) out_values[i] = values[i];
      }
      if (begin >= end) continue;
      if constexpr (std::is_same<Value, NullType>::value) {
        thrust::detail::sort_stably(out + begin, end - begin, before);
      } else {
        thrust::stable_sort_by_key(thrust::seq, out + begin, out + end, out_values + begin, before);
      }
    }
  });
}

}  // namespace detail

// The four calls of a sort: of keys and of pairs, from array to array and within double buffers.
// BITS are parameters and BEGIN_BIT and END_BIT the bits of the keys that count.
#define CUDACPU_SEGMENTED_SORTS(KEYS, PAIRS, DESCENDING, BITS, BEGIN_BIT, END_BIT)                \
  template <typename Key, typename Begins, typename Ends>                                         \
  CUDACPU_HOST_DEVICE static cudaError_t KEYS(                                                    \
      void* memory, size_t& bytes, const Key* in, Key* out, long long, long long segments,        \
      Begins begins, Ends ends BITS, cudaStream_t stream = nullptr) {                             \
    const NullType* const no_values = nullptr;                                                    \
    return detail::sort_segments(memory, bytes, in, out, no_values,                               \
                                 static_cast<NullType*>(nullptr), segments, begins, ends,         \
                                 {BEGIN_BIT, END_BIT, DESCENDING}, stream);                       \
  }                                                                                               \
  template <typename Key, typename Begins, typename Ends>                                         \
  CUDACPU_HOST_DEVICE static cudaError_t KEYS(                                                    \
      void* memory, size_t& bytes, DoubleBuffer<Key>& keys, long long, long long segments,        \
      Begins begins, Ends ends BITS, cudaStream_t stream = nullptr) {                             \
    const Key* const in = keys.Current();                                                         \
    const NullType* const no_values = nullptr;                                                    \
    const auto error = detail::sort_segments(memory, bytes, in, keys.Alternate(), no_values,      \
                                             static_cast<NullType*>(nullptr), segments, begins,   \
                                             ends, {BEGIN_BIT, END_BIT, DESCENDING}, stream);     \
    if (memory) keys.selector ^= 1;                                                               \
    return error;                                                                                 \
  }                                                                                               \
  template <typename Key, typename Value, typename Begins, typename Ends>                         \
  CUDACPU_HOST_DEVICE static cudaError_t PAIRS(void* memory, size_t& bytes, const Key* in,        \
                                               Key* out, const Value* values, Value* out_values,  \
                                               long long, long long segments, Begins begins,      \
                                               Ends ends BITS, cudaStream_t stream = nullptr) {   \
    return detail::sort_segments(memory, bytes, in, out, values, out_values, segments, begins,    \
                                 ends, {BEGIN_BIT, END_BIT, DESCENDING}, stream);                 \
  }                                                                                               \
  template <typename Key, typename Value, typename Begins, typename Ends>                         \
  CUDACPU_HOST_DEVICE static cudaError_t PAIRS(                                                   \
      void* memory, size_t& bytes, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values,          \
      long long, long long segments, Begins begins, Ends ends BITS,                               \
      cudaStream_t stream = nullptr) {                                                            \
    const Key* const in = keys.Current();                                                         \
    const Value* const in_values = values.Current();                                              \
    const auto error =                                                                            \
        detail::sort_segments(memory, bytes, in, keys.Alternate(), in_values, values.Alternate(), \
                              segments, begins, ends, {BEGIN_BIT, END_BIT, DESCENDING}, stream);  \
    if (memory) {                                                                                 \
      keys.selector ^= 1;                                                                         \
      values.selector ^= 1;                                                                       \
    }                                                                                             \
    return error;                                                                                 \
  }
#define CUDACPU_SOME_BITS , int begin_bit = 0, int end_bit = sizeof(Key) * 8

struct DeviceSegmentedRadixSort {
  CUDACPU_SEGMENTED_SORTS(SortKeys, SortPairs, false, CUDACPU_SOME_BITS, begin_bit, end_bit)
  CUDACPU_SEGMENTED_SORTS(SortKeysDescending, SortPairsDescending, true, CUDACPU_SOME_BITS,
                          begin_bit, end_bit)
};

// Every sort of the class is stable.
struct DeviceSegmentedSort {
  CUDACPU_SEGMENTED_SORTS(SortKeys, SortPairs, false, , 0, int(sizeof(Key) * 8))
  CUDACPU_SEGMENTED_SORTS(SortKeysDescending, SortPairsDescending, true, , 0, int(sizeof(Key) * 8))
  CUDACPU_SEGMENTED_SORTS(StableSortKeys, StableSortPairs, false, , 0, int(sizeof(Key) * 8))
  CUDACPU_SEGMENTED_SORTS(StableSortKeysDescending, StableSortPairsDescending, true, , 0,
                          int(sizeof(Key) * 8))
};
#undef CUDACPU_SEGMENTED_SORTS
#undef CUDACPU_SOME_BITS

}  // namespace cub
