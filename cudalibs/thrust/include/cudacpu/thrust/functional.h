// Thrust's function objects and tuples.
#pragma once

#include <functional>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

// Programs rely on the headers that NVIDIA's Thrust brings along: the headers below and cuda::std.
#include <atomic>
#include <cfloat>
#include <iostream>
#include <memory>

#include "cuda/functional"
#include "cuda_runtime.h"
#include "cudacpu/libcudacxx/tuple.h"
#include "placeholders.h"

namespace thrust {

using std::error_category;
using std::error_code;
using std::system_error;

// The errors of CUDA, with their texts.
inline const error_category& cuda_category() {
  struct Category : error_category {
    const char* name() const noexcept override { return "cuda"; }
    std::string message(int error) const override {
      return cudaGetErrorString(static_cast<cudaError_t>(error));
    }
  };
  static const Category category;
  return category;
}

namespace system {
using std::error_category;
using std::error_code;
using std::system_error;
using thrust::cuda_category;
}  // namespace system

// With a type, as the templates of the standard library, or for any.
#define CUDACPU_BINARY(name, expression)                                          \
  template <typename T = void>                                                    \
  struct name {                                                                   \
    CUDACPU_HOST_DEVICE constexpr auto operator()(const T& a, const T& b) const { \
      return expression;                                                          \
    }                                                                             \
  };                                                                              \
  template <>                                                                     \
  struct name<void> {                                                             \
    template <typename A, typename B>                                             \
    CUDACPU_HOST_DEVICE constexpr auto operator()(const A& a, const B& b) const { \
      return expression;                                                          \
    }                                                                             \
  };
CUDACPU_BINARY(plus, a + b)
CUDACPU_BINARY(minus, a - b)
CUDACPU_BINARY(multiplies, a* b)
CUDACPU_BINARY(divides, a / b)
CUDACPU_BINARY(modulus, a % b)
CUDACPU_BINARY(maximum, a < b ? b : a)
CUDACPU_BINARY(minimum, b < a ? b : a)
CUDACPU_BINARY(equal_to, a == b)
CUDACPU_BINARY(not_equal_to, a != b)
CUDACPU_BINARY(less, a < b)
CUDACPU_BINARY(less_equal, a <= b)
CUDACPU_BINARY(greater, a > b)
CUDACPU_BINARY(greater_equal, a >= b)
CUDACPU_BINARY(logical_and, a&& b)
CUDACPU_BINARY(logical_or, a || b)
CUDACPU_BINARY(bit_and, a& b)
CUDACPU_BINARY(bit_or, a | b)
CUDACPU_BINARY(bit_xor, a ^ b)
#undef CUDACPU_BINARY

#define CUDACPU_UNARY(name, expression)                               \
  template <typename T = void>                                        \
  struct name {                                                       \
    template <typename A>                                             \
    CUDACPU_HOST_DEVICE constexpr auto operator()(const A& a) const { \
      return expression;                                              \
    }                                                                 \
  };
CUDACPU_UNARY(negate, -a)
CUDACPU_UNARY(identity, a)
CUDACPU_UNARY(square, a* a)
CUDACPU_UNARY(logical_not, !a)
#undef CUDACPU_UNARY

template <typename A, typename B>
struct unary_function {
  using argument_type = A;
  using result_type = B;
};
template <typename A, typename B, typename C>
struct binary_function {
  using first_argument_type = A;
  using second_argument_type = B;
  using result_type = C;
};

template <typename A = void, typename B = void>
struct project1st {
  template <typename X, typename Y>
  CUDACPU_HOST_DEVICE constexpr X operator()(const X& x, const Y&) const {
    return x;
  }
};
template <typename A = void, typename B = void>
struct project2nd {
  template <typename X, typename Y>
  CUDACPU_HOST_DEVICE constexpr Y operator()(const X&, const Y& y) const {
    return y;
  }
};
template <typename Predicate>
struct unary_negate {
  Predicate predicate;
  template <typename T>
  CUDACPU_HOST_DEVICE bool operator()(const T& x) const {
    return !predicate(x);
  }
};
template <typename Predicate>
CUDACPU_HOST_DEVICE unary_negate<Predicate> not1(const Predicate& predicate) {
  return {predicate};
}
template <typename Predicate>
CUDACPU_HOST_DEVICE unary_negate<Predicate> not_fn(const Predicate& predicate) {
  return {predicate};
}

template <typename T>
CUDACPU_HOST_DEVICE constexpr T min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <typename T>
CUDACPU_HOST_DEVICE constexpr T max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <typename T, typename Less>
CUDACPU_HOST_DEVICE constexpr T min(const T& a, const T& b, Less less_than) {
  return less_than(b, a) ? b : a;
}
template <typename T, typename Less>
CUDACPU_HOST_DEVICE constexpr T max(const T& a, const T& b, Less less_than) {
  return less_than(a, b) ? b : a;
}

}  // namespace thrust
