// Sums of many numbers, in pairs of halves as on a GPU: a single running sum of millions of floats
// would get too large for the next number to change the sum.
#pragma once

#include <cstddef>

namespace cudacpu {

// The sum of at(first) to at(last - 1), of at least one element.
template <typename T, typename Add, typename At>
CUDACPU_HOST_DEVICE T sum_of_halves(std::ptrdiff_t first, std::ptrdiff_t last, Add& add, At& at) {
  constexpr std::ptrdiff_t kFew = 256;  // so few numbers are added in order
  if (last - first > kFew) {
    const std::ptrdiff_t middle = first + (last - first) / 2;
    T left = sum_of_halves<T>(first, middle, add, at);
    T right = sum_of_halves<T>(middle, last, add, at);
    return add(left, right);
  }
  T sum = at(first);
  for (std::ptrdiff_t i = first + 1; i < last; ++i)
    sum = add(sum, at(i));
  return sum;
}

}  // namespace cudacpu
