// Warp votes, shuffles, matches and reductions: what the lanes leave in a warp_exchange(), seen by
// each.
//
// Only the _sync forms: nvcc has rejected the others since compute capability 7.0.
#pragma once

#include "../turns.h"
#include "rounding.h"

namespace cudacpu {

template <typename T>
CUDACPU_DEVICE inline uint64_t to_slot(T value) {
  uint64_t slot = 0;
  __builtin_memcpy(&slot, &value, sizeof(value));
  return slot;
}

template <typename T>
CUDACPU_DEVICE inline T from_slot(uint64_t slot) {
  T value;
  __builtin_memcpy(&value, &slot, sizeof(value));
  return value;
}

// The mask of present lanes for which `holds(slot)`.
template <typename Predicate>
CUDACPU_DEVICE CUDACPU_UNSEEN inline unsigned lanes_where(const WarpView& view, Predicate holds) {
  unsigned result = 0;
  for (int lane = 0; lane < 32; ++lane)
    result |= static_cast<unsigned>(holds(view.value[lane])) << lane;
  return result & view.present;
}

// The mask of present lanes that left another value than 0.
CUDACPU_DEVICE CUDACPU_UNSEEN inline unsigned votes(const WarpView& view) {
  return view.nonzero & view.present;
}

// The cost of an exchange on a GPU, beside the meeting of the lanes.
CUDACPU_DEVICE CUDACPU_UNSEEN inline void count_exchange([[maybe_unused]] const WarpView& view,
                                                         [[maybe_unused]] unsigned clocks,
                                                         [[maybe_unused]] unsigned instructions) {
#if defined(__CUDACPU_PROFILE__) && CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
  if (clocks + instructions) observe::exchanged(clocks, instructions, view.present);
#endif
}

// __match_any_sync looks for each value in turn: on an H200 a value takes two clocks, a value of 64
// bits four.
CUDACPU_DEVICE CUDACPU_UNSEEN inline void count_match([[maybe_unused]] const WarpView& view,
                                                      [[maybe_unused]] unsigned bytes) {
#if defined(__CUDACPU_PROFILE__) && CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
  if (lane_id() != static_cast<unsigned>(__builtin_ctz(view.present))) return;
  unsigned values = 0;
  for (unsigned rest = view.present; rest; ++values) {
    const uint64_t first = view.value[__builtin_ctz(rest)];
    for (unsigned lanes = rest; lanes; lanes &= lanes - 1) {
      if (view.value[__builtin_ctz(lanes)] == first) rest &= ~(lanes & -lanes);
    }
  }
  count_exchange(view, (bytes > 4 ? 4 : 2) * values, 0);
#endif
}

// The first and the last lane of the lane's segment of `width` lanes.
CUDACPU_DEVICE inline int first_of_segment(int lane, int width) {
  return lane & (32 - width);
}
CUDACPU_DEVICE inline int last_of_segment(int lane, int width) {
  return first_of_segment(lane, width) + width - 1;
}

// Returns the value of lane `source`; the lane's own value for a source out of range. A lane that
// does not take part, because the lane has ended or never began, gives 0. CUDA leaves the value
// open, and an H200 gives 0: sums of partial warps are right on an H200.
template <typename T>
CUDACPU_DEVICE CUDACPU_UNSEEN inline T shuffled(const WarpView& view, T own, int source,
                                                bool in_range) {
  if (sizeof(T) > 4) count_exchange(view, 1, 1);  // two of 32 bits
#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING
  if (in_range && !(view.present >> source & 1))
    observe::absent_lane_read(static_cast<unsigned>(source));
#endif
  if (!in_range) return own;
  return from_slot<T>(view.present >> source & 1 ? view.value[source] : 0);
}

template <typename T>
CUDACPU_DEVICE inline T shuffle(unsigned mask, T value, int source, int width) {
  const int lane = static_cast<int>(lane_id());
  const WarpView& view = warp_exchange(mask, to_slot(value), "__shfl_sync()");
  return shuffled(view, value, first_of_segment(lane, width) | (source & (width - 1)), true);
}

template <typename T>
CUDACPU_DEVICE inline T shuffle_up(unsigned mask, T value, unsigned delta, int width) {
  const int lane = static_cast<int>(lane_id()), source = lane - static_cast<int>(delta & 31);
  const WarpView& view = warp_exchange(mask, to_slot(value), "__shfl_up_sync()");
  return shuffled(view, value, source, source >= first_of_segment(lane, width));
}

template <typename T>
CUDACPU_DEVICE inline T shuffle_down(unsigned mask, T value, unsigned delta, int width) {
  const int lane = static_cast<int>(lane_id()), source = lane + static_cast<int>(delta & 31);
  const WarpView& view = warp_exchange(mask, to_slot(value), "__shfl_down_sync()");
  return shuffled(view, value, source, source <= last_of_segment(lane, width));
}

template <typename T>
CUDACPU_DEVICE inline T shuffle_xor(unsigned mask, T value, int lane_mask, int width) {
  const int lane = static_cast<int>(lane_id()), source = lane ^ (lane_mask & 31);
  const WarpView& view = warp_exchange(mask, to_slot(value), "__shfl_xor_sync()");
  return shuffled(view, value, source, source <= last_of_segment(lane, width));
}

// Combines the values of all lanes that took part, with `join`.
template <typename T, typename Join>
CUDACPU_DEVICE CUDACPU_UNSEEN inline T reduced(const WarpView& view, T own, Join join) {
  T result = own;
  bool first = true;
  for (unsigned lanes = view.present; lanes; lanes &= lanes - 1) {
    const T next = from_slot<T>(view.value[__builtin_ctz(lanes)]);
    result = first ? next : join(result, next);
    first = false;
  }
  return result;
}

}  // namespace cudacpu

constexpr int kCudacpuWarpSize = 32;

// ---- votes ----
CUDACPU_DEVICE inline int __all_sync(unsigned int mask, int predicate) {
  const auto& view = cudacpu::warp_exchange(mask, predicate != 0, "__all_sync()");
  return cudacpu::votes(view) == view.present;
}
CUDACPU_DEVICE inline int __any_sync(unsigned int mask, int predicate) {
  const auto& view = cudacpu::warp_exchange(mask, predicate != 0, "__any_sync()");
  return cudacpu::votes(view) != 0;
}
CUDACPU_DEVICE inline int __uni_sync(unsigned int mask, int predicate) {
  const uint64_t own = predicate != 0;
  const auto& view = cudacpu::warp_exchange(mask, own, "__uni_sync()");
  return cudacpu::lanes_where(view, [own](uint64_t slot) { return slot != own; }) == 0;
}
CUDACPU_DEVICE inline unsigned int __ballot_sync(unsigned int mask, int predicate) {
  const auto& view = cudacpu::warp_exchange(mask, predicate != 0, "__ballot_sync()");
  return cudacpu::votes(view);
}
CUDACPU_DEVICE inline unsigned int __activemask() {
  return cudacpu::active_mask();
}

// ---- shuffles and matches ----
#define CUDACPU_WARP(T)                                                                         \
  CUDACPU_DEVICE inline T __shfl_sync(unsigned int mask, T value, int source,                   \
                                      int width = kCudacpuWarpSize) {                           \
    return cudacpu::shuffle(mask, value, source, width);                                        \
  }                                                                                             \
  CUDACPU_DEVICE inline T __shfl_up_sync(unsigned int mask, T value, unsigned int delta,        \
                                         int width = kCudacpuWarpSize) {                        \
    return cudacpu::shuffle_up(mask, value, delta, width);                                      \
  }                                                                                             \
  CUDACPU_DEVICE inline T __shfl_down_sync(unsigned int mask, T value, unsigned int delta,      \
                                           int width = kCudacpuWarpSize) {                      \
    return cudacpu::shuffle_down(mask, value, delta, width);                                    \
  }                                                                                             \
  CUDACPU_DEVICE inline T __shfl_xor_sync(unsigned int mask, T value, int lane_mask,            \
                                          int width = kCudacpuWarpSize) {                       \
    return cudacpu::shuffle_xor(mask, value, lane_mask, width);                                 \
  }                                                                                             \
  CUDACPU_DEVICE inline unsigned int __match_any_sync(unsigned int mask, T value) {             \
    const uint64_t own = cudacpu::to_slot(value);                                               \
    const auto& view = cudacpu::warp_exchange(mask, own, "__match_any_sync()");                 \
    cudacpu::count_match(view, sizeof value);                                                   \
    return cudacpu::lanes_where(view, [own](uint64_t slot) { return slot == own; });            \
  }                                                                                             \
  CUDACPU_DEVICE inline unsigned int __match_all_sync(unsigned int mask, T value,               \
                                                      int* all_equal) {                         \
    const uint64_t own = cudacpu::to_slot(value);                                               \
    const auto& view = cudacpu::warp_exchange(mask, own, "__match_all_sync()");                 \
    *all_equal = cudacpu::lanes_where(view, [own](uint64_t slot) { return slot != own; }) == 0; \
    return *all_equal ? mask : 0;                                                               \
  }

CUDACPU_WARP(int)
CUDACPU_WARP(unsigned int)
CUDACPU_WARP(long int)
CUDACPU_WARP(unsigned long int)
CUDACPU_WARP(long long int)
CUDACPU_WARP(unsigned long long int)
CUDACPU_WARP(float)
CUDACPU_WARP(double)
#undef CUDACPU_WARP

// ---- reductions, since compute capability 8.0 ----
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define CUDACPU_REDUCE(name, T, expression)                                               \
  CUDACPU_DEVICE inline T name(unsigned int mask, T value) {                              \
    const auto& view = cudacpu::warp_exchange(mask, cudacpu::to_slot(value), #name "()"); \
    return cudacpu::reduced(view, value, [](T a, T b) -> T { return expression; });       \
  }
CUDACPU_REDUCE(__reduce_add_sync, unsigned int, a + b)
CUDACPU_REDUCE(__reduce_add_sync, int,
               static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)))
CUDACPU_REDUCE(__reduce_min_sync, unsigned int, b < a ? b : a)
CUDACPU_REDUCE(__reduce_min_sync, int, b < a ? b : a)
CUDACPU_REDUCE(__reduce_max_sync, unsigned int, a < b ? b : a)
CUDACPU_REDUCE(__reduce_max_sync, int, a < b ? b : a)
CUDACPU_REDUCE(__reduce_and_sync, unsigned int, a& b)
CUDACPU_REDUCE(__reduce_or_sync, unsigned int, a | b)
CUDACPU_REDUCE(__reduce_xor_sync, unsigned int, a ^ b)
#undef CUDACPU_REDUCE
#endif

// ---- votes and shuffles without a mask, which CUDA had before 9 ----
// The lanes of a call are the lanes that call the function together, as for __activemask().
// Shuffles are templates with any number of arguments, so a program's own function of the same name
// has precedence. All are always inlined, because lanes are together if they call from the same
// place of the code.
#define CUDACPU_OLD_VOTE(result, name)                                                        \
  template <typename Predicate>                                                               \
  [[deprecated("use " #name "_sync"), gnu::always_inline]] CUDACPU_DEVICE inline result name( \
      Predicate predicate) {                                                                  \
    const bool holds = predicate ? true : false;                                              \
    return name##_sync(cudacpu::active_mask(), holds);                                        \
  }
CUDACPU_OLD_VOTE(int, __all)
CUDACPU_OLD_VOTE(int, __any)
CUDACPU_OLD_VOTE(unsigned int, __ballot)
#undef CUDACPU_OLD_VOTE

#define CUDACPU_OLD_SHUFFLE(name, Where)                                                 \
  template <typename T, typename... Width>                                               \
  [[deprecated("use " #name "_sync"), gnu::always_inline]] CUDACPU_DEVICE inline T name( \
      T value, Where where, Width... width) {                                            \
    return name##_sync(cudacpu::active_mask(), value, where, width...);                  \
  }
CUDACPU_OLD_SHUFFLE(__shfl, int)
CUDACPU_OLD_SHUFFLE(__shfl_up, unsigned int)
CUDACPU_OLD_SHUFFLE(__shfl_down, unsigned int)
CUDACPU_OLD_SHUFFLE(__shfl_xor, int)
#undef CUDACPU_OLD_SHUFFLE
