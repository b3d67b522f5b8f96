// The tuple of Thrust and of cuda::std: the standard library's, whose assignment kernels may call
// too.
#pragma once

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"
#include "cudacpu/libcudacxx/swap.h"

namespace thrust {

using std::get;
using std::make_pair;
using std::pair;
using std::tuple_element;
using std::tuple_size;

// Comparisons of std::tuple are constexpr, so kernels may call them; assignments are only in C++20.
template <typename... Elements>
class tuple : public std::tuple<Elements...> {
  using Base = std::tuple<Elements...>;

 public:
  constexpr tuple() = default;
  constexpr tuple(const tuple&) = default;
  constexpr tuple(tuple&&) = default;
  CUDACPU_HOST_DEVICE constexpr tuple(const Elements&... elements) : Base(elements...) {}
  template <typename... Others,
            std::enable_if_t<sizeof...(Others) == sizeof...(Elements) &&
                                 std::is_constructible<Base, Others...>::value &&
                                 !(std::is_same<std::decay_t<Others>, tuple>::value || ...),
                             int> = 0>
  CUDACPU_HOST_DEVICE constexpr tuple(Others&&... others)
      : Base(static_cast<Others&&>(others)...) {}
  template <typename... Others>
  CUDACPU_HOST_DEVICE constexpr tuple(const std::tuple<Others...>& other) : Base(other) {}
  template <typename First, typename Second>
  CUDACPU_HOST_DEVICE constexpr tuple(const std::pair<First, Second>& other) : Base(other) {}

  CUDACPU_HOST_DEVICE tuple& operator=(const tuple& other) { return assign(other, kAll); }
  template <typename... Others>
  CUDACPU_HOST_DEVICE tuple& operator=(const std::tuple<Others...>& other) {
    return assign(other, kAll);
  }
  template <typename First, typename Second>
  CUDACPU_HOST_DEVICE tuple& operator=(const std::pair<First, Second>& other) {
    return assign(other, kAll);
  }
  CUDACPU_HOST_DEVICE void swap(tuple& other) { exchange(other, kAll); }
  CUDACPU_HOST_DEVICE friend void swap(tuple& a, tuple& b) { a.swap(b); }

 private:
  static constexpr std::index_sequence_for<Elements...> kAll{};

  template <typename Other, std::size_t... i>
  CUDACPU_HOST_DEVICE tuple& assign(const Other& other, std::index_sequence<i...>) {
    static_assert(std::tuple_size<Other>::value == sizeof...(Elements), "as many elements");
    ((std::get<i>(*this) = std::get<i>(other)), ...);
    return *this;
  }
  template <std::size_t... i>
  CUDACPU_HOST_DEVICE void exchange(tuple& other, std::index_sequence<i...>) {
    (thrust::swap(std::get<i>(*this), std::get<i>(other)), ...);
  }
};
template <>
class tuple<> : public std::tuple<> {};
template <typename... Elements>
CUDACPU_HOST_DEVICE tuple(Elements...)->tuple<Elements...>;

namespace detail {
// What a tuple made of T holds: a reference for a std::reference_wrapper.
template <typename T>
struct HeldType {
  using type = T;
};
template <typename T>
struct HeldType<std::reference_wrapper<T>> {
  using type = T&;
};
template <typename T>
using Held = typename HeldType<std::decay_t<T>>::type;
}  // namespace detail
// With the first element apart, these overloads are more specialized than the standard library's,
// which a call without a namespace finds as well: the base of Thrust's tuple is a tuple of the
// library.
template <typename First, typename... Others>
CUDACPU_HOST_DEVICE constexpr tuple<detail::Held<First>, detail::Held<Others>...> make_tuple(
    First&& first, Others&&... others) {
  return tuple<detail::Held<First>, detail::Held<Others>...>(static_cast<First&&>(first),
                                                             static_cast<Others&&>(others)...);
}
CUDACPU_HOST_DEVICE constexpr tuple<> make_tuple() {
  return {};
}
template <typename First, typename... Others>
CUDACPU_HOST_DEVICE constexpr tuple<First&, Others&...> tie(First& first, Others&... others) {
  return tuple<First&, Others&...>(first, others...);
}
using std::ignore;

}  // namespace thrust

namespace std {
template <typename... Elements>
struct tuple_size<thrust::tuple<Elements...>> : tuple_size<tuple<Elements...>> {};
template <size_t i, typename... Elements>
struct tuple_element<i, thrust::tuple<Elements...>> : tuple_element<i, tuple<Elements...>> {};
}  // namespace std
