// Collective operations of a set of lanes of a warp, on values of any trivially copyable type: the
// parts of which cooperative groups are made.
#pragma once

#include "warp.h"

namespace cudacpu {

// The values of all lanes, by lane. A value that fits in 8 bytes stays in the exchange's view,
// which is valid until the thread's next warp function.
template <typename T, bool kFits = sizeof(T) <= 8>
class LaneValues {
 public:
  CUDACPU_DEVICE LaneValues(unsigned mask, const T& own, const char* what)
      : view_(warp_exchange(mask, to_slot(own), what)) {
    if (sizeof(T) > 4) count_exchange(view_, 1, 1);
  }
  // The lanes that took part: all lanes of the mask except exited lanes.
  CUDACPU_DEVICE unsigned present() const { return view_.present; }
  CUDACPU_DEVICE T operator[](unsigned lane) const { return from_slot<T>(view_.value[lane]); }
  // See count_exchange().
  CUDACPU_DEVICE void count(unsigned clocks, unsigned instructions) const {
    count_exchange(view_, clocks, instructions);
  }

 private:
  static_assert(std::is_trivially_copyable<T>::value,
                "threads exchange trivially copyable values only");
  const WarpView& view_;
};

// Larger values are exchanged in pieces.
template <typename T>
class LaneValues<T, false> {
 public:
  CUDACPU_DEVICE LaneValues(unsigned mask, const T& own, const char* what) {
    for (unsigned offset = 0; offset < sizeof(T); offset += 8) {
      const unsigned bytes = sizeof(T) - offset < 8 ? sizeof(T) - offset : 8;
      uint64_t slot = 0;
      memcpy(&slot, reinterpret_cast<const char*>(&own) + offset, bytes);
      const WarpView& view = warp_exchange(mask, slot, what);
      present_ = view.present;
      if (bytes > 4) count_exchange(view, 1, 1);
      view_ = &view;
      for (unsigned lane = 0; lane < 32; ++lane)
        memcpy(bytes_ + lane * sizeof(T) + offset, &view.value[lane], bytes);
    }
  }
  CUDACPU_DEVICE unsigned present() const { return present_; }
  CUDACPU_DEVICE void count(unsigned clocks, unsigned instructions) const {
    count_exchange(*view_, clocks, instructions);
  }
  CUDACPU_DEVICE T operator[](unsigned lane) const {
    T value;
    memcpy(&value, bytes_ + lane * sizeof(T), sizeof(T));
    return value;
  }

 private:
  static_assert(std::is_trivially_copyable<T>::value,
                "threads exchange trivially copyable values only");
  alignas(8) char bytes_[32 * sizeof(T)];
  unsigned present_ = 0;
  const WarpView* view_ = nullptr;
};

CUDACPU_DEVICE inline unsigned lanes_below(unsigned lane) {
  return (1u << lane) - 1;
}

// Whether the lanes are neighbours, like the lanes of a tile.
CUDACPU_DEVICE inline bool is_contiguous(unsigned mask) {
  const unsigned lowest = mask & -mask;
  return ((mask + lowest) & mask) == 0;
}

// The lane of the rank-th member of `mask`.
CUDACPU_DEVICE inline unsigned lane_of_rank(unsigned mask, unsigned rank) {
  if (is_contiguous(mask)) return static_cast<unsigned>(__builtin_ctz(mask)) + rank;
  for (; rank > 0; --rank)
    mask &= mask - 1;
  return static_cast<unsigned>(__builtin_ctz(mask));
}

// Moves the bits of `lanes` that `mask` names next to each other: a ballot by rank.
CUDACPU_DEVICE inline unsigned by_rank(unsigned lanes, unsigned mask) {
  if (is_contiguous(mask)) return (lanes & mask) >> __builtin_ctz(mask);
  unsigned result = 0;
  for (unsigned rank = 0; mask; mask &= mask - 1, ++rank) {
    if (lanes & mask & -mask) result |= 1u << rank;
  }
  return result;
}

// The cost of a reduction or scan of the present lanes: on a GPU the lanes exchange and combine
// values in as many steps as their number has bits, unless the GPU has an instruction.
template <typename T>
CUDACPU_DEVICE inline void count_steps(const LaneValues<T>& values, bool has_instruction) {
  const auto lanes = static_cast<unsigned>(__builtin_popcount(values.present()));
  const unsigned steps = lanes < 2 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(lanes - 1));
  constexpr unsigned kWords = (sizeof(T) + 3) / 4;
  if (has_instruction) {
    values.count(2, 0);
  } else {
    values.count(steps * kWords, steps * (kWords + 1));
  }
}

// value(first) op value(next) op ... over the lanes in `lanes`, in order; `otherwise` for no lanes.
template <typename T, typename Operation>
CUDACPU_DEVICE inline T fold(const LaneValues<T>& values, unsigned lanes, T otherwise,
                             Operation& operation) {
  if (!lanes) return otherwise;
  T result = values[__builtin_ctz(lanes)];
  for (lanes &= lanes - 1; lanes; lanes &= lanes - 1)
    result = operation(result, values[__builtin_ctz(lanes)]);
  return result;
}

}  // namespace cudacpu
