// CUB's traits of numbers: bits of the same size, and how to order numbers by their bits.
#pragma once

#include <type_traits>

#include "common.h"

struct __half;
struct __nv_bfloat16;

namespace cub {

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

// The base class in a program's specialization of NumericTraits for its own type.
template <Category kKind, bool kPrimitive, typename Bits, typename T>
struct BaseTraits {};

template <typename Bits, typename T>
struct BaseTraits<UNSIGNED_INTEGER, true, Bits, T> {
  using UnsignedBits = Bits;
  static constexpr Bits LOWEST_KEY = Bits(0), MAX_KEY = Bits(-1);

  CUDACPU_HOST_DEVICE static Bits TwiddleIn(Bits key) { return key; }
  CUDACPU_HOST_DEVICE static Bits TwiddleOut(Bits key) { return key; }
};

template <typename Bits, typename T>
struct BaseTraits<SIGNED_INTEGER, true, Bits, T> {
  using UnsignedBits = Bits;
  static constexpr Bits HIGH_BIT = Bits(1) << (sizeof(Bits) * 8 - 1);
  static constexpr Bits LOWEST_KEY = HIGH_BIT, MAX_KEY = Bits(-1) ^ HIGH_BIT;

  CUDACPU_HOST_DEVICE static Bits TwiddleIn(Bits key) { return key ^ HIGH_BIT; }
  CUDACPU_HOST_DEVICE static Bits TwiddleOut(Bits key) { return key ^ HIGH_BIT; }
};

// For a negative float all bits change, for another float the sign.
template <typename Bits, typename T>
struct BaseTraits<FLOATING_POINT, true, Bits, T> {
  using UnsignedBits = Bits;
  static constexpr Bits HIGH_BIT = Bits(1) << (sizeof(Bits) * 8 - 1);
  static constexpr Bits LOWEST_KEY = Bits(-1), MAX_KEY = Bits(-1) ^ HIGH_BIT;

  CUDACPU_HOST_DEVICE static Bits TwiddleIn(Bits key) {
    return key ^ ((key & HIGH_BIT) != 0 ? Bits(-1) : HIGH_BIT);
  }
  CUDACPU_HOST_DEVICE static Bits TwiddleOut(Bits key) {
    return key ^ ((key & HIGH_BIT) != 0 ? HIGH_BIT : Bits(-1));
  }
};

namespace detail {

template <typename T, bool = std::is_integral<T>::value>
struct UsualTraits : BaseTraits<NOT_A_NUMBER, false, T, T> {};
template <typename T>
struct UsualTraits<T, true>
    : BaseTraits<std::is_signed<T>::value ? SIGNED_INTEGER : UNSIGNED_INTEGER, true,
                 std::make_unsigned_t<T>, T> {};
template <>
struct UsualTraits<bool, true> : BaseTraits<UNSIGNED_INTEGER, true, unsigned char, bool> {};
template <>
struct UsualTraits<float, false> : BaseTraits<FLOATING_POINT, true, unsigned int, float> {};
template <>
struct UsualTraits<double, false> : BaseTraits<FLOATING_POINT, true, unsigned long long, double> {};
template <>
struct UsualTraits<__half, false> : BaseTraits<FLOATING_POINT, true, unsigned short, __half> {};
template <>
struct UsualTraits<__nv_bfloat16, false>
    : BaseTraits<FLOATING_POINT, true, unsigned short, __nv_bfloat16> {};

}  // namespace detail

template <typename T>
struct NumericTraits : detail::UsualTraits<T> {};

template <typename T>
using Traits = NumericTraits<std::remove_cv_t<T>>;

}  // namespace cub
