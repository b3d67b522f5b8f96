// cuda::std: the standard library, and definitions of its own for functions that kernels may call
// only in C++20, where the standard library's are constexpr.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"
#include "cudacpu/libcudacxx/tuple.h"

// Inside namespace cuda, std is cuda::std.
namespace cuda::std {

using namespace ::std;
using ::std::get;
using ::thrust::ignore;
using ::thrust::make_tuple;
using ::thrust::swap;
using ::thrust::tie;
using ::thrust::tuple;

template <class T>
using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
template <class T>
struct remove_cvref {
  using type = remove_cvref_t<T>;
};
template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = T;

struct identity {
  template <class T>
  CUDACPU_HOST_DEVICE constexpr T&& operator()(T&& value) const {
    return static_cast<T&&>(value);
  }
};

template <class T, class U = T>
CUDACPU_HOST_DEVICE constexpr T exchange(T& object, U&& value) {
  T before = move(object);
  object = static_cast<U&&>(value);
  return before;
}

// Of a function, of a member function for an object, or of a member of an object.
template <class F, class... Arguments>
CUDACPU_HOST_DEVICE constexpr decltype(auto) invoke(F&& function, Arguments&&... arguments) {
  if constexpr (is_member_pointer_v<decay_t<F>>)
    return ::std::mem_fn(function)(static_cast<Arguments&&>(arguments)...);
  else
    return static_cast<F&&>(function)(static_cast<Arguments&&>(arguments)...);
}

template <class T, size_t N>
struct array : ::std::array<T, N> {
  CUDACPU_HOST_DEVICE constexpr void fill(const T& value) {
    for (T& element : *this)
      element = value;
  }
  CUDACPU_HOST_DEVICE constexpr void swap(array& other) {
    for (size_t i = 0; i < N; ++i)
      cuda::std::swap((*this)[i], other[i]);
  }
  CUDACPU_HOST_DEVICE friend constexpr void swap(array& a, array& b) { a.swap(b); }
  CUDACPU_HOST_DEVICE friend constexpr bool operator==(const array& a, const array& b) {
    for (size_t i = 0; i < N; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }
  CUDACPU_HOST_DEVICE friend constexpr bool operator!=(const array& a, const array& b) {
    return !(a == b);
  }
};
template <class T, class... Others>
CUDACPU_HOST_DEVICE array(T, Others...)->array<T, 1 + sizeof...(Others)>;

}  // namespace cuda::std

namespace std {
template <class T, size_t N>
struct tuple_size<cuda::std::array<T, N>> : integral_constant<size_t, N> {};
template <size_t i, class T, size_t N>
struct tuple_element<i, cuda::std::array<T, N>> {
  using type = T;
};
}  // namespace std
