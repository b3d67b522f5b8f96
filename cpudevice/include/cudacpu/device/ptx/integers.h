// Integers in PTX: instructions without an operator of C++. Each function counts as one instruction
// in a profile.
#pragma once

#include <limits>
#include <type_traits>

#include "../../runtime.h"

#define CUDACPU_PTX_ONE CUDACPU_DEVICE CUDACPU_UNSEEN inline

namespace cudacpu {
namespace ptx {

// ---- arithmetic ----
CUDACPU_PTX_ONE unsigned high(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
CUDACPU_PTX_ONE int high(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
CUDACPU_PTX_ONE unsigned long long high(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
CUDACPU_PTX_ONE long long high(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
CUDACPU_PTX_ONE unsigned difference(unsigned a, unsigned b) {
  return a < b ? b - a : a - b;
}
CUDACPU_PTX_ONE unsigned difference(int a, int b) {
  return a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
               : static_cast<unsigned>(a) - static_cast<unsigned>(b);
}

// Returns a + b, plus `carry`, the carry of the last instruction, if `uses`; replaces `carry` if
// `sets`.
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T add_with_carry(T a, T b, bool uses, bool sets, bool& carry) {
  T sum;
  bool over = __builtin_add_overflow(a, b, &sum);
  if (uses) over |= __builtin_add_overflow(sum, static_cast<T>(carry), &sum);
  if (sets) carry = over;
  return sum;
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T subtract_with_borrow(T a, T b, bool uses, bool sets, bool& carry) {
  T rest;
  bool under = __builtin_sub_overflow(a, b, &rest);
  if (uses) under |= __builtin_sub_overflow(rest, static_cast<T>(carry), &rest);
  if (sets) carry = under;
  return rest;
}

// Returns `a`, or the nearest end of T's range.
template <typename T, typename From>
CUDACPU_PTX_ONE T saturated(From a) {
  constexpr __int128 kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  return static_cast<T>(a < kLeast ? kLeast : a > kMost ? kMost : a);
}
// Returns two bytes, b below a, with the lower half of c above both.
template <typename T>
CUDACPU_PTX_ONE unsigned pack_bytes(T a, T b, unsigned c) {
  return c << 16 | static_cast<unsigned>(static_cast<unsigned char>(a)) << 8 |
         static_cast<unsigned char>(b);
}
// Products of 24 bits, plus c: T is int or unsigned. Takes the upper or the lower 32 of the
// product's 48 bits.
template <bool upper, typename T>
CUDACPU_PTX_ONE T multiply_24(T a, T b, T c) {
  using Wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
  a = static_cast<T>(static_cast<unsigned>(a) << 8) >> 8;
  b = static_cast<T>(static_cast<unsigned>(b) << 8) >> 8;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<T>(static_cast<unsigned>(product >> (upper ? 16 : 0)) +
                        static_cast<unsigned>(c));
}
// Adds to c the products of the parts of a, each as an A, and of as many parts of b from the
// `first`-th on, each as a B: four bytes, or two halves and two bytes.
template <typename A, typename B>
CUDACPU_PTX_ONE unsigned dot(unsigned a, unsigned b, unsigned c, unsigned first = 0) {
  for (unsigned i = 0; i < 4 / sizeof(A); ++i)
    c += static_cast<unsigned>(static_cast<A>(a >> 8 * sizeof(A) * i) *
                               static_cast<B>(b >> 8 * sizeof(B) * (first + i)));
  return c;
}

// ---- bits ----
#define CUDACPU_PTX_SHIFT(T, name, beyond, shifted)   \
  CUDACPU_PTX_ONE T name(T a, unsigned n) {           \
    return n >= 8 * sizeof(T) ? (beyond) : (shifted); \
  }
CUDACPU_PTX_SHIFT(unsigned, shift_left, 0, a << n)
CUDACPU_PTX_SHIFT(unsigned long long, shift_left, 0, a << n)
CUDACPU_PTX_SHIFT(unsigned, shift_right, 0, a >> n)
CUDACPU_PTX_SHIFT(unsigned long long, shift_right, 0, a >> n)
CUDACPU_PTX_SHIFT(int, shift_right, a < 0 ? -1 : 0, a >> n)
CUDACPU_PTX_SHIFT(long long, shift_right, a < 0 ? -1 : 0, a >> n)
#undef CUDACPU_PTX_SHIFT

// The upper or the lower word of (b : a), shifted by at most 32.
CUDACPU_PTX_ONE unsigned funnel_left(unsigned a, unsigned b, unsigned n) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  return n >= 32 ? a : static_cast<unsigned>(both << n >> 32);
}
CUDACPU_PTX_ONE unsigned funnel_right(unsigned a, unsigned b, unsigned n) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  return n >= 32 ? b : static_cast<unsigned>(both >> n);
}
// Any function of three bits, given by the function's table.
CUDACPU_PTX_ONE unsigned lookup(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned value = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (table >> i & 1) value |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  return value;
}
// Four bytes of the eight of (b : a), or a byte's sign eight times.
CUDACPU_PTX_ONE unsigned permute(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  unsigned value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned chosen = selector >> 4 * i & 15;
    unsigned byte = static_cast<unsigned>(both >> 8 * (chosen & 7)) & 0xFF;
    if (chosen & 8) byte = byte & 0x80 ? 0xFF : 0;
    value |= byte << 8 * i;
  }
  return value;
}

// Returns `length` bits from bit `begin` on; a signed result repeats the highest of the bits
// upwards.
#define CUDACPU_PTX_EXTRACT(T, U)                                                        \
  CUDACPU_PTX_ONE T extract(T a, unsigned begin, unsigned length) {                      \
    constexpr unsigned bits = 8 * sizeof(T);                                             \
    begin &= 0xFF;                                                                       \
    length &= 0xFF;                                                                      \
    if (length == 0) return 0;                                                           \
    const U all = static_cast<U>(a);                                                     \
    const unsigned last = begin + length - 1 < bits - 1 ? begin + length - 1 : bits - 1; \
    const bool sign = std::is_signed_v<T> && (all >> last & 1);                          \
    U value = begin < bits ? all >> begin : 0;                                           \
    const unsigned kept = begin < bits ? last - begin + 1 : 0;                           \
    const U mask = kept >= bits ? ~static_cast<U>(0) : (static_cast<U>(1) << kept) - 1;  \
    value = sign ? value | ~mask : value & mask;                                         \
    return static_cast<T>(value);                                                        \
  }
CUDACPU_PTX_EXTRACT(unsigned, unsigned)
CUDACPU_PTX_EXTRACT(int, unsigned)
CUDACPU_PTX_EXTRACT(unsigned long long, unsigned long long)
CUDACPU_PTX_EXTRACT(long long, unsigned long long)
#undef CUDACPU_PTX_EXTRACT

// Returns b with the lower `length` bits of a from bit `begin` on.
#define CUDACPU_PTX_BITS(T, suffix)                                                          \
  CUDACPU_PTX_ONE T insert(T a, T b, unsigned begin, unsigned length) {                      \
    constexpr unsigned bits = 8 * sizeof(T);                                                 \
    begin &= 0xFF;                                                                           \
    length &= 0xFF;                                                                          \
    if (begin >= bits || length == 0) return b;                                              \
    const T mask = (length >= bits ? ~static_cast<T>(0) : (static_cast<T>(1) << length) - 1) \
                   << begin;                                                                 \
    return (b & ~mask) | (a << begin & mask);                                                \
  }                                                                                          \
  CUDACPU_PTX_ONE T reverse(T a) {                                                           \
    T value = 0;                                                                             \
    for (unsigned i = 0; i < 8 * sizeof(T); ++i)                                             \
      value |= (a >> i & 1) << (8 * sizeof(T) - 1 - i);                                      \
    return value;                                                                            \
  }                                                                                          \
  CUDACPU_PTX_ONE unsigned ones(T a) {                                                       \
    return static_cast<unsigned>(__builtin_popcount##suffix(a));                             \
  }                                                                                          \
  CUDACPU_PTX_ONE unsigned leading_zeros(T a) {                                              \
    return a ? static_cast<unsigned>(__builtin_clz##suffix(a)) : 8 * sizeof(T);              \
  }                                                                                          \
  CUDACPU_PTX_ONE unsigned highest_bit(T a) {                                                \
    return a ? 8 * sizeof(T) - 1 - static_cast<unsigned>(__builtin_clz##suffix(a)) : ~0u;    \
  }                                                                                          \
  CUDACPU_PTX_ONE unsigned shift_to_highest_bit(T a) {                                       \
    return a ? static_cast<unsigned>(__builtin_clz##suffix(a)) : ~0u;                        \
  }
CUDACPU_PTX_BITS(unsigned, )
CUDACPU_PTX_BITS(unsigned long long, ll)
#undef CUDACPU_PTX_BITS
// For a signed number, the highest bit that differs from the sign.
CUDACPU_PTX_ONE unsigned highest_bit(int a) {
  return highest_bit(static_cast<unsigned>(a < 0 ? ~a : a));
}
CUDACPU_PTX_ONE unsigned highest_bit(long long a) {
  return highest_bit(static_cast<unsigned long long>(a < 0 ? ~a : a));
}
CUDACPU_PTX_ONE unsigned shift_to_highest_bit(int a) {
  return shift_to_highest_bit(static_cast<unsigned>(a < 0 ? ~a : a));
}
CUDACPU_PTX_ONE unsigned shift_to_highest_bit(long long a) {
  return shift_to_highest_bit(static_cast<unsigned long long>(a < 0 ? ~a : a));
}

// Ones from bit `begin` on, `length` of them. Larger numbers than 32 count as 32 if `clamps`, and
// otherwise without their upper bits.
CUDACPU_PTX_ONE unsigned bit_mask(unsigned begin, unsigned length, bool clamps) {
  if (!clamps) return ((1u << (length & 31)) - 1) << (begin & 31);
  return shift_left(shift_left(1u, length) - 1, begin);
}
// Repeats the sign of a number of `bits` bits upwards, or zero if T is unsigned.
template <typename T>
CUDACPU_PTX_ONE T extend(T a, unsigned bits, bool clamps) {
  if (!clamps) bits &= 31;
  if (bits >= 32) return a;
  return extract(a, 0u, bits);
}
// The carry flag, from one asm statement to the next.
CUDACPU_PTX_ONE bool kept_carry() {
  return carry_flag();
}
CUDACPU_PTX_ONE void keep_carry(bool carry) {
  carry_flag() = carry;
}

}  // namespace ptx
}  // namespace cudacpu

#undef CUDACPU_PTX_ONE
