// Instructions of PTX that a profile counts as their operators.
#pragma once

#include "../matrix/matrix.h"

namespace cudacpu {
namespace ptx {

// Not an error of the processor, as in C++: a division by zero gives all ones, and the remainder is
// the number.
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  return b == static_cast<T>(-1) && std::is_signed_v<T> ? static_cast<T>(0ull - a) : a / b;
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T remainder(T a, T b) {
  if (b == 0) return a;
  return b == static_cast<T>(-1) && std::is_signed_v<T> ? 0 : a % b;
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T absolute(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return __builtin_fabs(a);
  } else {
    return a < 0 ? static_cast<T>(0ull - a) : a;
  }
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T minimum(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
CUDACPU_DEVICE CUDACPU_INLINED T maximum(T a, T b) {
  return a < b ? b : a;
}

}  // namespace ptx
}  // namespace cudacpu
