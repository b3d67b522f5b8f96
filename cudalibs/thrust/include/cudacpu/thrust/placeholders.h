// thrust::placeholders: `_1 * 2 + _2` is a function object of two arguments.
#pragma once

#include <type_traits>
#include <utility>

#include "cuda_runtime.h"

namespace thrust {
namespace detail {

struct Expression {};
template <typename T>
constexpr bool is_expression = std::is_base_of<Expression, T>::value;

template <int kNumber>
struct Argument : Expression {
  template <typename First, typename... Rest>
  CUDACPU_HOST_DEVICE auto operator()(const First& first, const Rest&... rest) const {
    if constexpr (kNumber == 1) {
      return first;
    } else {
      return Argument<kNumber - 1>()(rest...);
    }
  }
};
template <typename T>
struct Constant : Expression {
  T value;
  CUDACPU_HOST_DEVICE explicit Constant(T value) : value(value) {}
  template <typename... Arguments>
  CUDACPU_HOST_DEVICE T operator()(const Arguments&...) const {
    return value;
  }
};
template <typename T>
CUDACPU_HOST_DEVICE auto as_expression(const T& value) {
  if constexpr (is_expression<T>) {
    return value;
  } else {
    return Constant<T>(value);
  }
}

template <typename Function, typename... Parts>
struct Composed;
template <typename Function, typename A>
struct Composed<Function, A> : Expression {
  A a;
  CUDACPU_HOST_DEVICE explicit Composed(A a) : a(a) {}
  template <typename... Arguments>
  CUDACPU_HOST_DEVICE auto operator()(const Arguments&... arguments) const {
    return Function()(a(arguments...));
  }
};
template <typename Function, typename A, typename B>
struct Composed<Function, A, B> : Expression {
  A a;
  B b;
  CUDACPU_HOST_DEVICE Composed(A a, B b) : a(a), b(b) {}
  template <typename... Arguments>
  CUDACPU_HOST_DEVICE auto operator()(const Arguments&... arguments) const {
    return Function()(a(arguments...), b(arguments...));
  }
};

#define CUDACPU_BINARY(name, sign)                                             \
  struct name {                                                                \
    template <typename A, typename B>                                          \
    CUDACPU_HOST_DEVICE auto operator()(const A& a, const B& b) const {        \
      return a sign b;                                                         \
    }                                                                          \
  };                                                                           \
  template <typename A, typename B,                                            \
            typename = std::enable_if_t<is_expression<A> || is_expression<B>>> \
  CUDACPU_HOST_DEVICE auto operator sign(const A& a, const B& b) {             \
    auto left = as_expression(a);                                              \
    auto right = as_expression(b);                                             \
    return Composed<name, decltype(left), decltype(right)>(left, right);       \
  }
CUDACPU_BINARY(Plus, +)
CUDACPU_BINARY(Minus, -)
CUDACPU_BINARY(Times, *)
CUDACPU_BINARY(Over, /)
CUDACPU_BINARY(Modulo, %)
CUDACPU_BINARY(Equal, ==)
CUDACPU_BINARY(Unequal, !=)
CUDACPU_BINARY(Less, <)
CUDACPU_BINARY(Greater, >)
CUDACPU_BINARY(AtMost, <=)
CUDACPU_BINARY(AtLeast, >=)
CUDACPU_BINARY(BothAnd, &&)
CUDACPU_BINARY(EitherOr, ||)
CUDACPU_BINARY(BitAnd, &)
CUDACPU_BINARY(BitOr, |)
CUDACPU_BINARY(BitXor, ^)
CUDACPU_BINARY(LeftShift, <<)
CUDACPU_BINARY(RightShift, >>)
#undef CUDACPU_BINARY

#define CUDACPU_UNARY(name, sign)                                      \
  struct name {                                                        \
    template <typename A>                                              \
    CUDACPU_HOST_DEVICE auto operator()(const A& a) const {            \
      return sign a;                                                   \
    }                                                                  \
  };                                                                   \
  template <typename A, typename = std::enable_if_t<is_expression<A>>> \
  CUDACPU_HOST_DEVICE auto operator sign(const A& a) {                 \
    return Composed<name, A>(a);                                       \
  }
CUDACPU_UNARY(Negated, -)
CUDACPU_UNARY(Not, !)
CUDACPU_UNARY(Complement, ~)
#undef CUDACPU_UNARY

}  // namespace detail

namespace placeholders {
constexpr detail::Argument<1> _1{};
constexpr detail::Argument<2> _2{};
constexpr detail::Argument<3> _3{};
constexpr detail::Argument<4> _4{};
}  // namespace placeholders

}  // namespace thrust
