// A 32-bit word as two halves or four bytes: __vadd2 … __vsetltu4; and the functions for dynamic
// programming, of words and of halves: __vimax3_s32 … __vibmin_u16x2.
#pragma once

#include "../standard.h"

namespace cudacpu {

// Applies `lane_result(a, b)` to each lane of two words; a word may be a single lane. Lane is a
// signed or unsigned type with the width of the lanes.
template <typename Lane, typename Operation>
CUDACPU_HOST_DEVICE inline unsigned int for_lanes(unsigned int a, unsigned int b,
                                                  Operation lane_result) {
  constexpr int kBits = 8 * sizeof(Lane);
  constexpr unsigned int kMask = ~0u >> (32 - kBits);
  unsigned int result = 0;
  for (int shift = 0; shift < 32; shift += kBits) {
    const auto x = +static_cast<Lane>(a >> shift), y = +static_cast<Lane>(b >> shift);
    result |= (static_cast<unsigned int>(lane_result(x, y)) & kMask) << shift;
  }
  return result;
}

template <typename Lane>
CUDACPU_HOST_DEVICE inline int saturate(int x) {
  constexpr int low = std::numeric_limits<Lane>::min(), high = std::numeric_limits<Lane>::max();
  return x < low ? low : x > high ? high : x;
}

template <typename Lane>
CUDACPU_HOST_DEVICE inline unsigned int sum_of_differences(unsigned int a, unsigned int b) {
  unsigned int sum = 0;
  for (int shift = 0; shift < 32; shift += 8 * static_cast<int>(sizeof(Lane))) {
    const int d = static_cast<Lane>(a >> shift) - static_cast<Lane>(b >> shift);
    sum += static_cast<unsigned int>(d < 0 ? -d : d);
  }
  return sum;
}

}  // namespace cudacpu

#define CUDACPU_LANES(name, Lane, expression)                               \
  CUDACPU_DEVICE inline unsigned int name(unsigned int a, unsigned int b) { \
    using T = Lane;                                                         \
    return cudacpu::for_lanes<T>(a, b, [](int x, int y) -> int {            \
      (void)y;                                                              \
      return expression;                                                    \
    });                                                                     \
  }
#define CUDACPU_LANES_OF_ONE(name, Lane, expression)                                  \
  CUDACPU_DEVICE inline unsigned int name(unsigned int a) {                           \
    using T = Lane;                                                                   \
    return cudacpu::for_lanes<T>(a, 0, [](int x, int) -> int { return expression; }); \
  }

// vcmp: all bits of the lane; vset: 1.
#define CUDACPU_COMPARE(relation, width, Lane, operation)              \
  CUDACPU_LANES(__vcmp##relation##width, Lane, x operation y ? -1 : 0) \
  CUDACPU_LANES(__vset##relation##width, Lane, x operation y ? 1 : 0)

#define CUDACPU_SIMD(width, Signed, Unsigned)                                         \
  CUDACPU_LANES(__vadd##width, Unsigned, x + y)                                       \
  CUDACPU_LANES(__vsub##width, Unsigned, x - y)                                       \
  CUDACPU_LANES(__vaddss##width, Signed, cudacpu::saturate<T>(x + y))                 \
  CUDACPU_LANES(__vaddus##width, Unsigned, cudacpu::saturate<T>(x + y))               \
  CUDACPU_LANES(__vsubss##width, Signed, cudacpu::saturate<T>(x - y))                 \
  CUDACPU_LANES(__vsubus##width, Unsigned, cudacpu::saturate<T>(x - y))               \
  CUDACPU_LANES(__vavgs##width, Signed, (x + y + (x + y >= 0)) >> 1)                  \
  CUDACPU_LANES(__vavgu##width, Unsigned, (x + y + 1) >> 1)                           \
  CUDACPU_LANES(__vhaddu##width, Unsigned, (x + y) >> 1)                              \
  CUDACPU_LANES(__vabsdiffs##width, Signed, x > y ? x - y : y - x)                    \
  CUDACPU_LANES(__vabsdiffu##width, Unsigned, x > y ? x - y : y - x)                  \
  CUDACPU_LANES(__vmaxs##width, Signed, x > y ? x : y)                                \
  CUDACPU_LANES(__vmaxu##width, Unsigned, x > y ? x : y)                              \
  CUDACPU_LANES(__vmins##width, Signed, x < y ? x : y)                                \
  CUDACPU_LANES(__vminu##width, Unsigned, x < y ? x : y)                              \
  CUDACPU_LANES_OF_ONE(__vabs##width, Signed, x < 0 ? -x : x)                         \
  CUDACPU_LANES_OF_ONE(__vabsss##width, Signed, cudacpu::saturate<T>(x < 0 ? -x : x)) \
  CUDACPU_LANES_OF_ONE(__vneg##width, Signed, -x)                                     \
  CUDACPU_LANES_OF_ONE(__vnegss##width, Signed, cudacpu::saturate<T>(-x))             \
  CUDACPU_COMPARE(eq, width, Unsigned, ==)                                            \
  CUDACPU_COMPARE(ne, width, Unsigned, !=)                                            \
  CUDACPU_COMPARE(ges, width, Signed, >=)                                             \
  CUDACPU_COMPARE(geu, width, Unsigned, >=)                                           \
  CUDACPU_COMPARE(gts, width, Signed, >)                                              \
  CUDACPU_COMPARE(gtu, width, Unsigned, >)                                            \
  CUDACPU_COMPARE(les, width, Signed, <=)                                             \
  CUDACPU_COMPARE(leu, width, Unsigned, <=)                                           \
  CUDACPU_COMPARE(lts, width, Signed, <)                                              \
  CUDACPU_COMPARE(ltu, width, Unsigned, <)                                            \
  CUDACPU_DEVICE inline unsigned int __vsads##width(unsigned int a, unsigned int b) { \
    return cudacpu::sum_of_differences<Signed>(a, b);                                 \
  }                                                                                   \
  CUDACPU_DEVICE inline unsigned int __vsadu##width(unsigned int a, unsigned int b) { \
    return cudacpu::sum_of_differences<Unsigned>(a, b);                               \
  }

CUDACPU_SIMD(2, short, unsigned short)
CUDACPU_SIMD(4, signed char, unsigned char)

#undef CUDACPU_SIMD
#undef CUDACPU_COMPARE
#undef CUDACPU_LANES_OF_ONE
#undef CUDACPU_LANES

namespace cudacpu {

template <bool kLarger, typename Lane>
CUDACPU_HOST_DEVICE inline unsigned int best(unsigned int a, unsigned int b) {
  return for_lanes<Lane>(a, b, [](auto x, auto y) { return (x < y) == kLarger ? y : x; });
}
// The sign makes no difference, and only unsigned sums may wrap.
template <typename Lane>
CUDACPU_HOST_DEVICE inline unsigned int lane_sums(unsigned int a, unsigned int b) {
  return for_lanes<std::make_unsigned_t<Lane>>(a, b, [](auto x, auto y) { return x + y; });
}
// 0 in place of what is negative.
template <typename Lane>
CUDACPU_HOST_DEVICE inline unsigned int relu(unsigned int a) {
  return best<true, Lane>(a, 0);
}

}  // namespace cudacpu

#define CUDACPU_DPX(extreme, larger, Word, type, Lane)                                \
  CUDACPU_HOST_DEVICE inline Word __vi##extreme##3_##type(Word a, Word b, Word c) {   \
    return cudacpu::best<larger, Lane>(cudacpu::best<larger, Lane>(a, b), c);         \
  }                                                                                   \
  CUDACPU_HOST_DEVICE inline Word __viadd##extreme##_##type(Word a, Word b, Word c) { \
    return cudacpu::best<larger, Lane>(cudacpu::lane_sums<Lane>(a, b), c);            \
  }
#define CUDACPU_DPX_RELU(extreme, larger, Word, type, Lane)                                  \
  CUDACPU_HOST_DEVICE inline Word __vi##extreme##_##type##_relu(Word a, Word b) {            \
    return cudacpu::relu<Lane>(cudacpu::best<larger, Lane>(a, b));                           \
  }                                                                                          \
  CUDACPU_HOST_DEVICE inline Word __vi##extreme##3_##type##_relu(Word a, Word b, Word c) {   \
    return cudacpu::relu<Lane>(__vi##extreme##3_##type(a, b, c));                            \
  }                                                                                          \
  CUDACPU_HOST_DEVICE inline Word __viadd##extreme##_##type##_relu(Word a, Word b, Word c) { \
    return cudacpu::relu<Lane>(__viadd##extreme##_##type(a, b, c));                          \
  }
// Also store whether the result is `a`, for each half on its own.
#define CUDACPU_DPX_WHICH(extreme, larger, Word, type, Lane)                            \
  CUDACPU_HOST_DEVICE inline Word __vib##extreme##_##type(Word a, Word b, bool* is_a) { \
    const Word result = cudacpu::best<larger, Lane>(a, b);                              \
    *is_a = result == a;                                                                \
    return result;                                                                      \
  }
#define CUDACPU_DPX_WHICH_HALVES(extreme, larger, type, Lane)            \
  CUDACPU_HOST_DEVICE inline unsigned int __vib##extreme##_##type(       \
      unsigned int a, unsigned int b, bool* high_is_a, bool* low_is_a) { \
    const unsigned int result = cudacpu::best<larger, Lane>(a, b);       \
    *high_is_a = result >> 16 == a >> 16;                                \
    *low_is_a = (result & 0xffff) == (a & 0xffff);                       \
    return result;                                                       \
  }
#define CUDACPU_DPX_ALL(extreme, larger)                              \
  CUDACPU_DPX(extreme, larger, int, s32, int)                         \
  CUDACPU_DPX(extreme, larger, unsigned int, u32, unsigned int)       \
  CUDACPU_DPX(extreme, larger, unsigned int, s16x2, short)            \
  CUDACPU_DPX(extreme, larger, unsigned int, u16x2, unsigned short)   \
  CUDACPU_DPX_RELU(extreme, larger, int, s32, int)                    \
  CUDACPU_DPX_RELU(extreme, larger, unsigned int, s16x2, short)       \
  CUDACPU_DPX_WHICH(extreme, larger, int, s32, int)                   \
  CUDACPU_DPX_WHICH(extreme, larger, unsigned int, u32, unsigned int) \
  CUDACPU_DPX_WHICH_HALVES(extreme, larger, s16x2, short)             \
  CUDACPU_DPX_WHICH_HALVES(extreme, larger, u16x2, unsigned short)

CUDACPU_DPX_ALL(max, true)
CUDACPU_DPX_ALL(min, false)

#undef CUDACPU_DPX_ALL
#undef CUDACPU_DPX_WHICH_HALVES
#undef CUDACPU_DPX_WHICH
#undef CUDACPU_DPX_RELU
#undef CUDACPU_DPX
