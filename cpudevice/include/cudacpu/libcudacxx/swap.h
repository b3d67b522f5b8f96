// The swap of Thrust and of cuda::std, which kernels may call: the standard library's is constexpr
// only in C++20.
#pragma once

#include <cstddef>
#include <utility>

#include "cuda_runtime.h"

namespace thrust {

template <typename T>
CUDACPU_HOST_DEVICE constexpr void swap(T& a, T& b) {
  T before = std::move(a);
  a = std::move(b);
  b = std::move(before);
}
template <typename T, std::size_t n>
CUDACPU_HOST_DEVICE constexpr void swap(T (&a)[n], T (&b)[n]) {
  for (std::size_t i = 0; i < n; ++i)
    thrust::swap(a[i], b[i]);
}

}  // namespace thrust
