// Thrust's algorithms: transformations and copies by a thread per element, all others in order by a
// single thread.
#pragma once

#include <algorithm>
#include <numeric>

#include "cudacpu/sums.h"
#include "iterators.h"
#include "policies_begin.h"

namespace thrust {

// ---- a thread per element ----

template <CUDACPU_POLICY, typename In, typename Function>
CUDACPU_HOST_DEVICE In for_each_n(const Policy& policy, In first, size_t n, Function function) {
  const auto in = detail::unwrap(first);
  detail::for_each_index(policy, n, [=](size_t i) mutable { function(in[i]); });
  return first + n;
}
template <CUDACPU_POLICY, typename In, typename Function>
CUDACPU_HOST_DEVICE In for_each(const Policy& policy, In first, In last, Function function) {
  return thrust::for_each_n(policy, first, last - first, function);
}
template <CUDACPU_POLICY, typename In, typename Out, typename Function>
CUDACPU_HOST_DEVICE Out transform(const Policy& policy, In first, In last, Out result,
                                  Function function) {
  const auto in = detail::unwrap(first);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable { out[i] = function(in[i]); });
  return result + (last - first);
}
template <CUDACPU_POLICY, typename In1, typename In2, typename Out, typename Function>
CUDACPU_HOST_DEVICE Out transform(const Policy& policy, In1 first, In1 last, In2 second, Out result,
                                  Function function) {
  const auto a = detail::unwrap(first);
  const auto b = detail::unwrap(second);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first,
                         [=](size_t i) mutable { out[i] = function(a[i], b[i]); });
  return result + (last - first);
}
template <CUDACPU_POLICY, typename In, typename Map, typename Out>
CUDACPU_HOST_DEVICE Out gather(const Policy& policy, Map first, Map last, In input, Out result) {
  const auto map = detail::unwrap(first);
  const auto in = detail::unwrap(input);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable { out[i] = in[map[i]]; });
  return result + (last - first);
}
template <CUDACPU_POLICY, typename In, typename Map, typename Out>
CUDACPU_HOST_DEVICE void scatter(const Policy& policy, In first, In last, Map map_first,
                                 Out result) {
  const auto in = detail::unwrap(first);
  const auto map = detail::unwrap(map_first);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable { out[map[i]] = in[i]; });
}
template <CUDACPU_POLICY, typename Out, typename T>
CUDACPU_HOST_DEVICE void fill(const Policy& policy, Out first, Out last, const T& value) {
  auto out = detail::unwrap(first);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable { out[i] = value; });
}
template <CUDACPU_POLICY, typename Out, typename T>
CUDACPU_HOST_DEVICE Out fill_n(const Policy& policy, Out first, size_t n, const T& value) {
  thrust::fill(policy, first, first + n, value);
  return first + n;
}
template <CUDACPU_POLICY, typename Out, typename T = detail::value_of<Out>>
CUDACPU_HOST_DEVICE void sequence(const Policy& policy, Out first, Out last, T start = T(),
                                  T step = T(1)) {
  auto out = detail::unwrap(first);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    out[i] = static_cast<T>(start + step * static_cast<T>(i));
  });
}
template <CUDACPU_POLICY, typename Out, typename Function>
CUDACPU_HOST_DEVICE void tabulate(const Policy& policy, Out first, Out last, Function function) {
  auto out = detail::unwrap(first);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable { out[i] = function(i); });
}
template <CUDACPU_POLICY, typename InOut, typename Stencil, typename Predicate, typename T>
CUDACPU_HOST_DEVICE void replace_if(const Policy& policy, InOut first, InOut last,
                                    Stencil stencil_first, Predicate predicate, const T& value) {
  auto x = detail::unwrap(first);
  const auto stencil = detail::unwrap(stencil_first);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    if (predicate(stencil[i])) x[i] = value;
  });
}
template <CUDACPU_POLICY, typename InOut, typename Predicate, typename T>
CUDACPU_HOST_DEVICE void replace_if(const Policy& policy, InOut first, InOut last,
                                    Predicate predicate, const T& value) {
  thrust::replace_if(policy, first, last, first, predicate, value);
}
template <CUDACPU_POLICY, typename In, typename Out, typename Function>
CUDACPU_HOST_DEVICE Out adjacent_difference(const Policy& policy, In first, In last, Out result,
                                            Function function) {
  // In order: input and output may be the same.
  const auto in = detail::unwrap(first);
  const auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first;
  detail::run_once(policy, [=] { std::adjacent_difference(in, in + n, out, function); });
  return result + n;
}
template <CUDACPU_POLICY, typename In, typename Out>
CUDACPU_HOST_DEVICE Out adjacent_difference(const Policy& policy, In first, In last, Out result) {
  return thrust::adjacent_difference(policy, first, last, result, minus<>());
}

namespace detail {
// Whether an iterator must be written one element after the other, like std::ostream_iterator.
template <typename T, typename = void>
struct IsOutput : std::false_type {};
template <typename T>
struct IsOutput<T, std::void_t<typename std::iterator_traits<T>::iterator_category>>
    : std::is_same<typename std::iterator_traits<T>::iterator_category, std::output_iterator_tag> {
};
}  // namespace detail
// Between host and device, in both directions: the host can read and write through all iterators,
// and on one side a thread per element can.
template <CUDACPU_POLICY, typename In, typename Out>
CUDACPU_HOST_DEVICE Out copy(const Policy& policy, In first, In last, Out result) {
  const std::ptrdiff_t n = last - first;
  constexpr bool kPlain = std::is_pointer<decltype(detail::unwrap(first))>::value &&
                          std::is_pointer<decltype(detail::unwrap(result))>::value;
  constexpr bool kAcross = !detail::is_anywhere<Out>::value &&
                           detail::is_on_device<In>::value != detail::is_on_device<Out>::value;
  constexpr bool kSameType = std::is_same<detail::value_of<In>, detail::value_of<Out>>::value;
  if (n <= 0) return result;
  if constexpr (detail::IsOutput<Out>::value) {
    for (std::ptrdiff_t i = 0; i < n; ++i, ++result)
      *result = static_cast<detail::value_of<In>>(first[i]);
    return result;
  } else if constexpr (std::is_same<Policy, device_policy>::value && kAcross &&
                       !(kPlain && kSameType)) {
    for (std::ptrdiff_t i = 0; i < n; ++i)
      result[i] = static_cast<detail::value_of<In>>(first[i]);
  } else if constexpr (std::is_same<Policy, device_policy>::value && kAcross) {
    cudaMemcpyAsync(static_cast<void*>(detail::unwrap(result)), detail::unwrap(first),
                    n * sizeof(detail::value_of<In>), cudaMemcpyDefault, policy.stream);
    cudaStreamSynchronize(policy.stream);  // as Thrust does, also for pinned memory
  } else {
    const auto in = detail::unwrap(first);
    auto out = detail::unwrap(result);
    detail::for_each_index(policy, n, [=](size_t i) mutable { out[i] = in[i]; });
  }
  if constexpr (!detail::IsOutput<Out>::value) return result + n;
}
template <CUDACPU_POLICY, typename In, typename Out>
CUDACPU_HOST_DEVICE Out copy_n(const Policy& policy, In first, size_t n, Out result) {
  return thrust::copy(policy, first, first + n, result);
}

// ---- reductions ----

namespace detail {

// start + at(0) + ... + at(n - 1). Elements of another type than the sum are added one by one.
template <typename T, typename Add, typename At>
CUDACPU_HOST_DEVICE T sum_of(std::ptrdiff_t n, T start, Add add, At at) {
  if constexpr (std::is_convertible<decltype(at(0)), T>::value) {
    if (n > 0) start = add(start, ::cudacpu::sum_of_halves<T>(0, n, add, at));
  } else {
    for (std::ptrdiff_t i = 0; i < n; ++i)
      start = add(start, at(i));
  }
  return start;
}

}  // namespace detail

template <CUDACPU_POLICY, typename In, typename T, typename Function>
CUDACPU_HOST_DEVICE T reduce(const Policy& policy, In first, In last, T start, Function function) {
  const auto in = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  return detail::run_once(policy, [=] {
    return detail::sum_of(n, start, function,
                          [=](std::ptrdiff_t i) -> decltype(auto) { return in[i]; });
  });
}
template <CUDACPU_POLICY, typename In, typename T>
CUDACPU_HOST_DEVICE T reduce(const Policy& policy, In first, In last, T start) {
  return thrust::reduce(policy, first, last, start, plus<>());
}
template <CUDACPU_POLICY, typename In>
CUDACPU_HOST_DEVICE auto reduce(const Policy& policy, In first, In last) {
  return thrust::reduce(policy, first, last, detail::value_of<In>());
}
template <CUDACPU_POLICY, typename In, typename Unary, typename T, typename Binary>
CUDACPU_HOST_DEVICE T transform_reduce(const Policy& policy, In first, In last, Unary unary,
                                       T start, Binary binary) {
  const auto in = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  return detail::run_once(policy, [=] {
    return detail::sum_of(n, start, binary, [=](std::ptrdiff_t i) mutable { return unary(in[i]); });
  });
}
template <CUDACPU_POLICY, typename In1, typename In2, typename T, typename Add, typename Multiply>
CUDACPU_HOST_DEVICE T inner_product(const Policy& policy, In1 first, In1 last, In2 second, T start,
                                    Add add, Multiply multiply) {
  const auto a = detail::unwrap(first);
  const auto b = detail::unwrap(second);
  const std::ptrdiff_t n = last - first;
  return detail::run_once(policy, [=] {
    return detail::sum_of(n, start, add,
                          [=](std::ptrdiff_t i) mutable { return multiply(a[i], b[i]); });
  });
}
template <CUDACPU_POLICY, typename In1, typename In2, typename T>
CUDACPU_HOST_DEVICE T inner_product(const Policy& policy, In1 first, In1 last, In2 second,
                                    T start) {
  return thrust::inner_product(policy, first, last, second, start, plus<>(), multiplies<>());
}
template <CUDACPU_POLICY, typename In, typename Predicate>
CUDACPU_HOST_DEVICE std::ptrdiff_t count_if(const Policy& policy, In first, In last,
                                            Predicate predicate) {
  const auto in = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  return detail::run_once(policy, [=]() mutable {
    std::ptrdiff_t count = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i)
      count += predicate(in[i]) ? 1 : 0;
    return count;
  });
}
template <CUDACPU_POLICY, typename In, typename T>
CUDACPU_HOST_DEVICE std::ptrdiff_t count(const Policy& policy, In first, In last, const T& value) {
  return thrust::count_if(policy, first, last, [=](const auto& x) { return x == value; });
}

// ---- places: of the least, the largest, the first ----

// The iterator at the position that `search(begin, end)` finds on plain iterators.
#define CUDACPU_SEARCH(name, parameters, call)                                                   \
  template <CUDACPU_POLICY, typename In CUDACPU_UNPACK_TYPES parameters>                         \
  CUDACPU_HOST_DEVICE In name(const Policy& policy, In first,                                    \
                              In last CUDACPU_UNPACK_VALUES parameters) {                        \
    const auto in = detail::unwrap(first);                                                       \
    const std::ptrdiff_t n = last - first;                                                       \
    return first + detail::run_once(policy, [=]() -> std::ptrdiff_t { return std::call - in; }); \
  }
#define CUDACPU_UNPACK_TYPES(type, value) , typename type
#define CUDACPU_UNPACK_VALUES(type, value) , type value
CUDACPU_SEARCH(min_element, (Less, less_than), min_element(in, in + n, less_than))
CUDACPU_SEARCH(max_element, (Less, less_than), max_element(in, in + n, less_than))
CUDACPU_SEARCH(find, (T, value), find(in, in + n, value))
CUDACPU_SEARCH(find_if, (Predicate, predicate), find_if(in, in + n, predicate))
#undef CUDACPU_UNPACK_VALUES
#undef CUDACPU_UNPACK_TYPES
#undef CUDACPU_SEARCH
#define CUDACPU_ORDERED_SEARCH(name)                                                   \
  template <CUDACPU_POLICY, typename In, typename T, typename Less = less<>>           \
  CUDACPU_HOST_DEVICE In name(const Policy& policy, In first, In last, const T& value, \
                              Less less_than = Less()) {                               \
    const auto in = detail::unwrap(first);                                             \
    const std::ptrdiff_t n = last - first;                                             \
    return first + detail::run_once(policy, [=]() -> std::ptrdiff_t {                  \
             return std::name(in, in + n, value, less_than) - in;                      \
           });                                                                         \
  }
CUDACPU_ORDERED_SEARCH(lower_bound)
CUDACPU_ORDERED_SEARCH(upper_bound)
#undef CUDACPU_ORDERED_SEARCH
template <CUDACPU_POLICY, typename In>
CUDACPU_HOST_DEVICE In min_element(const Policy& policy, In first, In last) {
  return thrust::min_element(policy, first, last, less<>());
}
template <CUDACPU_POLICY, typename In>
CUDACPU_HOST_DEVICE In max_element(const Policy& policy, In first, In last) {
  return thrust::max_element(policy, first, last, less<>());
}
template <CUDACPU_POLICY, typename In>
CUDACPU_HOST_DEVICE pair<In, In> minmax_element(const Policy& policy, In first, In last) {
  return {thrust::min_element(policy, first, last), thrust::max_element(policy, first, last)};
}
template <CUDACPU_POLICY, typename In, typename Less>
CUDACPU_HOST_DEVICE pair<In, In> minmax_element(const Policy& policy, In first, In last,
                                                Less less_than) {
  return {thrust::min_element(policy, first, last, less_than),
          thrust::max_element(policy, first, last, less_than)};
}

template <CUDACPU_POLICY, typename In, typename Predicate>
CUDACPU_HOST_DEVICE bool any_of(const Policy& policy, In first, In last, Predicate predicate) {
  return thrust::count_if(policy, first, last, predicate) > 0;
}
template <CUDACPU_POLICY, typename In, typename Predicate>
CUDACPU_HOST_DEVICE bool all_of(const Policy& policy, In first, In last, Predicate predicate) {
  return thrust::count_if(policy, first, last, predicate) == last - first;
}
template <CUDACPU_POLICY, typename In, typename Predicate>
CUDACPU_HOST_DEVICE bool none_of(const Policy& policy, In first, In last, Predicate predicate) {
  return thrust::count_if(policy, first, last, predicate) == 0;
}
template <CUDACPU_POLICY, typename In1, typename In2, typename Equal>
CUDACPU_HOST_DEVICE bool equal(const Policy& policy, In1 first, In1 last, In2 second, Equal same) {
  const auto a = detail::unwrap(first);
  const auto b = detail::unwrap(second);
  const std::ptrdiff_t n = last - first;
  return detail::run_once(policy, [=] { return std::equal(a, a + n, b, same); });
}
template <CUDACPU_POLICY, typename In1, typename In2>
CUDACPU_HOST_DEVICE bool equal(const Policy& policy, In1 first, In1 last, In2 second) {
  return thrust::equal(policy, first, last, second, equal_to<>());
}
template <CUDACPU_POLICY, typename In, typename Less>
CUDACPU_HOST_DEVICE bool is_sorted(const Policy& policy, In first, In last, Less less_than) {
  const auto in = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  return detail::run_once(policy, [=] { return std::is_sorted(in, in + n, less_than); });
}
template <CUDACPU_POLICY, typename In>
CUDACPU_HOST_DEVICE bool is_sorted(const Policy& policy, In first, In last) {
  return thrust::is_sorted(policy, first, last, less<>());
}

// ---- in order: scans, sorting, what leaves elements out ----

template <CUDACPU_POLICY, typename In, typename Out, typename Function>
CUDACPU_HOST_DEVICE Out inclusive_scan(const Policy& policy, In first, In last, Out result,
                                       Function function) {
  const auto in = detail::unwrap(first);
  auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first;
  detail::run_once(policy, [=]() mutable {
    if (n <= 0) return;
    detail::value_of<In> sum = in[0];
    out[0] = sum;
    for (std::ptrdiff_t i = 1; i < n; ++i)
      out[i] = sum = function(sum, in[i]);
  });
  return result + n;
}
namespace detail {
// A scan from `start` on. Each result is the sum before an element, or the sum with the element.
template <bool inclusive, CUDACPU_POLICY, typename In, typename Out, typename T, typename Function>
CUDACPU_HOST_DEVICE Out scan_from(const Policy& policy, In first, In last, Out result, T start,
                                  Function function) {
  const auto in = detail::unwrap(first);
  auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first;
  detail::run_once(policy, [=]() mutable {
    T sum = start;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const value_of<In> value = in[i];  // input and output may be the same
      if (!inclusive) out[i] = sum;
      sum = function(sum, value);
      if (inclusive) out[i] = sum;
    }
  });
  return result + n;
}
}  // namespace detail
template <CUDACPU_POLICY, typename In, typename Out, typename T, typename Function>
CUDACPU_HOST_DEVICE Out inclusive_scan(const Policy& policy, In first, In last, Out result, T start,
                                       Function function) {
  return detail::scan_from<true>(policy, first, last, result, start, function);
}
template <CUDACPU_POLICY, typename In, typename Out>
CUDACPU_HOST_DEVICE Out inclusive_scan(const Policy& policy, In first, In last, Out result) {
  return thrust::inclusive_scan(policy, first, last, result, plus<>());
}
template <CUDACPU_POLICY, typename In, typename Out, typename T, typename Function>
CUDACPU_HOST_DEVICE Out exclusive_scan(const Policy& policy, In first, In last, Out result, T start,
                                       Function function) {
  return detail::scan_from<false>(policy, first, last, result, start, function);
}
template <CUDACPU_POLICY, typename In, typename Out, typename T>
CUDACPU_HOST_DEVICE Out exclusive_scan(const Policy& policy, In first, In last, Out result,
                                       T start) {
  return thrust::exclusive_scan(policy, first, last, result, start, plus<>());
}
template <CUDACPU_POLICY, typename In, typename Out>
CUDACPU_HOST_DEVICE Out exclusive_scan(const Policy& policy, In first, In last, Out result) {
  return thrust::exclusive_scan(policy, first, last, result, detail::value_of<In>());
}
template <CUDACPU_POLICY, typename In, typename Out, typename Unary, typename Function>
CUDACPU_HOST_DEVICE Out transform_inclusive_scan(const Policy& policy, In first, In last,
                                                 Out result, Unary unary, Function function) {
  const auto begin = thrust::make_transform_iterator(first, unary);
  return thrust::inclusive_scan(policy, begin, begin + (last - first), result, function);
}
template <CUDACPU_POLICY, typename In, typename Out, typename Unary, typename T, typename Function>
CUDACPU_HOST_DEVICE Out transform_inclusive_scan(const Policy& policy, In first, In last,
                                                 Out result, Unary unary, T start,
                                                 Function function) {
  const auto begin = thrust::make_transform_iterator(first, unary);
  return thrust::inclusive_scan(policy, begin, begin + (last - first), result, start, function);
}
template <CUDACPU_POLICY, typename In, typename Out, typename Unary, typename T, typename Function>
CUDACPU_HOST_DEVICE Out transform_exclusive_scan(const Policy& policy, In first, In last,
                                                 Out result, Unary unary, T start,
                                                 Function function) {
  const auto begin = thrust::make_transform_iterator(first, unary);
  return thrust::exclusive_scan(policy, begin, begin + (last - first), result, start, function);
}
template <CUDACPU_POLICY, typename Keys, typename In, typename Out, typename Equal,
          typename Function>
CUDACPU_HOST_DEVICE Out inclusive_scan_by_key(const Policy& policy, Keys first, Keys last,
                                              In values, Out result, Equal same,
                                              Function function) {
  const auto keys = detail::unwrap(first);
  const auto in = detail::unwrap(values);
  auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first;
  detail::run_once(policy, [=]() mutable {
    detail::value_of<In> sum{};
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      sum =
          i > 0 && same(keys[i - 1], keys[i]) ? function(sum, in[i]) : detail::value_of<In>(in[i]);
      out[i] = sum;
    }
  });
  return result + n;
}
template <CUDACPU_POLICY, typename Keys, typename In, typename Out, typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE Out inclusive_scan_by_key(const Policy& policy, Keys first, Keys last,
                                              In values, Out result, Equal same = Equal()) {
  return thrust::inclusive_scan_by_key(policy, first, last, values, result, same, plus<>());
}
template <CUDACPU_POLICY, typename Keys, typename In, typename OutKeys, typename Out,
          typename Equal, typename Function>
CUDACPU_HOST_DEVICE pair<OutKeys, Out> reduce_by_key(const Policy& policy, Keys first, Keys last,
                                                     In values, OutKeys result_keys, Out result,
                                                     Equal same, Function function) {
  const auto keys = detail::unwrap(first);
  const auto in = detail::unwrap(values);
  auto out_keys = detail::unwrap(result_keys);
  auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first;
  const std::ptrdiff_t groups = detail::run_once(policy, [=]() mutable {
    std::ptrdiff_t count = 0;
    for (std::ptrdiff_t i = 0; i < n;) {
      const detail::value_of<Keys> key = keys[i];
      detail::value_of<In> sum = in[i];
      for (++i; i < n && same(key, keys[i]); ++i)
        sum = function(sum, in[i]);
      out_keys[count] = key;
      out[count++] = sum;
    }
    return count;
  });
  return {result_keys + groups, result + groups};
}
template <CUDACPU_POLICY, typename Keys, typename In, typename OutKeys, typename Out,
          typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE pair<OutKeys, Out> reduce_by_key(const Policy& policy, Keys first, Keys last,
                                                     In values, OutKeys result_keys, Out result,
                                                     Equal same = Equal()) {
  return thrust::reduce_by_key(policy, first, last, values, result_keys, result, same, plus<>());
}

// Merges from below, with memory of its own: stable.
namespace detail {
template <typename In, typename Less>
CUDACPU_HOST_DEVICE void sort_stably(In x, std::ptrdiff_t n, Less less_than) {
  using T = typename std::iterator_traits<In>::value_type;
  if (n < 2) return;
  T* spare = static_cast<T*>(malloc(n * sizeof(T)));
  for (std::ptrdiff_t width = 1; width < n; width *= 2) {
    for (std::ptrdiff_t begin = 0; begin < n; begin += 2 * width) {
      const std::ptrdiff_t middle = begin + width < n ? begin + width : n;
      const std::ptrdiff_t end = middle + width < n ? middle + width : n;
      std::ptrdiff_t a = begin, b = middle;
      for (std::ptrdiff_t i = begin; i < end; ++i) {
        const bool second = a == middle || (b < end && less_than(x[b], x[a]));
        new (&spare[i]) T(second ? x[b++] : x[a++]);
      }
    }
    for (std::ptrdiff_t i = 0; i < n; ++i)
      x[i] = spare[i];
  }
  free(spare);
}
}  // namespace detail
template <CUDACPU_POLICY, typename InOut, typename Less>
CUDACPU_HOST_DEVICE void stable_sort(const Policy& policy, InOut first, InOut last,
                                     Less less_than) {
  const auto x = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  detail::run_once(policy, [=] { detail::sort_stably(x, n, less_than); });
}
template <CUDACPU_POLICY, typename InOut>
CUDACPU_HOST_DEVICE void stable_sort(const Policy& policy, InOut first, InOut last) {
  thrust::stable_sort(policy, first, last, less<>());
}
template <CUDACPU_POLICY, typename InOut, typename... Less>
CUDACPU_HOST_DEVICE void sort(const Policy& policy, InOut first, InOut last, Less... less_than) {
  thrust::stable_sort(policy, first, last, less_than...);
}
template <CUDACPU_POLICY, typename Keys, typename Values, typename Less>
CUDACPU_HOST_DEVICE void stable_sort_by_key(const Policy& policy, Keys first, Keys last,
                                            Values values_first, Less less_than) {
  auto keys = detail::unwrap(first);
  auto values = detail::unwrap(values_first);
  const std::ptrdiff_t n = last - first;
  detail::run_once(policy, [=]() mutable {
    using Pair = pair<detail::value_of<Keys>, detail::value_of<Values>>;
    Pair* pairs = static_cast<Pair*>(malloc(n * sizeof(Pair)));
    for (std::ptrdiff_t i = 0; i < n; ++i)
      new (&pairs[i]) Pair(keys[i], values[i]);
    detail::sort_stably(pairs, n, [=](const Pair& a, const Pair& b) mutable {
      return less_than(a.first, b.first);
    });
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      keys[i] = pairs[i].first;
      values[i] = pairs[i].second;
    }
    free(pairs);
  });
}
template <CUDACPU_POLICY, typename Keys, typename Values>
CUDACPU_HOST_DEVICE void stable_sort_by_key(const Policy& policy, Keys first, Keys last,
                                            Values values) {
  thrust::stable_sort_by_key(policy, first, last, values, less<>());
}
template <CUDACPU_POLICY, typename Keys, typename Values, typename... Less>
CUDACPU_HOST_DEVICE void sort_by_key(const Policy& policy, Keys first, Keys last, Values values,
                                     Less... less_than) {
  thrust::stable_sort_by_key(policy, first, last, values, less_than...);
}
template <CUDACPU_POLICY, typename InOut>
CUDACPU_HOST_DEVICE void reverse(const Policy& policy, InOut first, InOut last) {
  const auto x = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  detail::run_once(policy, [=] { std::reverse(x, x + n); });
}

// Keeps, in order, the elements for which keep(i) holds; returns how many.
namespace detail {
template <typename Policy, typename In, typename Out, typename Keep>
CUDACPU_HOST_DEVICE std::ptrdiff_t keep_where(const Policy& policy, In in, std::ptrdiff_t n,
                                              Out out, Keep keep) {
  return run_once(policy, [=]() mutable {
    std::ptrdiff_t count = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      if (keep(i)) out[count++] = in[i];
    }
    return count;
  });
}
}  // namespace detail
template <CUDACPU_POLICY, typename In, typename Stencil, typename Out, typename Predicate>
CUDACPU_HOST_DEVICE Out copy_if(const Policy& policy, In first, In last, Stencil stencil_first,
                                Out result, Predicate predicate) {
  const auto stencil = detail::unwrap(stencil_first);
  return result +
         detail::keep_where(policy, detail::unwrap(first), last - first, detail::unwrap(result),
                            [=](std::ptrdiff_t i) mutable { return predicate(stencil[i]); });
}
template <CUDACPU_POLICY, typename In, typename Out, typename Predicate>
CUDACPU_HOST_DEVICE Out copy_if(const Policy& policy, In first, In last, Out result,
                                Predicate predicate) {
  return thrust::copy_if(policy, first, last, first, result, predicate);
}
template <CUDACPU_POLICY, typename InOut, typename Predicate>
CUDACPU_HOST_DEVICE InOut remove_if(const Policy& policy, InOut first, InOut last,
                                    Predicate predicate) {
  return thrust::copy_if(policy, first, last, first,
                         [=](const auto& x) mutable { return !predicate(x); });
}
template <CUDACPU_POLICY, typename InOut, typename Stencil, typename Predicate>
CUDACPU_HOST_DEVICE InOut remove_if(const Policy& policy, InOut first, InOut last, Stencil stencil,
                                    Predicate predicate) {
  return thrust::copy_if(policy, first, last, stencil, first,
                         [=](const auto& x) mutable { return !predicate(x); });
}
template <CUDACPU_POLICY, typename InOut, typename T>
CUDACPU_HOST_DEVICE InOut remove(const Policy& policy, InOut first, InOut last, const T& value) {
  return thrust::remove_if(policy, first, last, [=](const auto& x) { return x == value; });
}
// Of each run of equal elements the first.
template <CUDACPU_POLICY, typename In, typename Out, typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE Out unique_copy(const Policy& policy, In first, In last, Out result,
                                    Equal same = Equal()) {
  if (first == last) return result;
  const auto in = detail::unwrap(first);
  auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first;
  return result + detail::run_once(policy, [=]() mutable -> std::ptrdiff_t {
           detail::value_of<In> kept = in[0];
           out[0] = kept;
           std::ptrdiff_t count = 1;
           for (std::ptrdiff_t i = 1; i < n; ++i) {
             const detail::value_of<In> value = in[i];  // input and output may be the same
             if (same(kept, value)) continue;
             out[count++] = kept = value;
           }
           return count;
         });
}
template <CUDACPU_POLICY, typename InOut, typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE InOut unique(const Policy& policy, InOut first, InOut last,
                                 Equal same = Equal()) {
  return thrust::unique_copy(policy, first, last, first, same);
}
template <CUDACPU_POLICY, typename Keys, typename Values, typename OutKeys, typename Out,
          typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE pair<OutKeys, Out> unique_by_key_copy(const Policy& policy, Keys first,
                                                          Keys last, Values values,
                                                          OutKeys result_keys, Out result,
                                                          Equal same = Equal()) {
  // The first value of each run of equal keys.
  return thrust::reduce_by_key(policy, first, last, values, result_keys, result, same,
                               [](const auto& a, const auto&) { return a; });
}
template <CUDACPU_POLICY, typename In, typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE std::ptrdiff_t unique_count(const Policy& policy, In first, In last,
                                                Equal same = Equal()) {
  return thrust::unique_copy(policy, first, last, thrust::make_discard_iterator(), same) -
         thrust::make_discard_iterator();
}

// On the device each thread calls a copy of the generator, once; on the host a single generator is
// changed by each call.
template <CUDACPU_POLICY, typename Out, typename Generator>
CUDACPU_HOST_DEVICE void generate(const Policy& policy, Out first, Out last, Generator generator) {
  if constexpr (std::is_same<Policy, device_policy>::value) {
    auto out = detail::unwrap(first);
    detail::for_each_index(policy, last - first, [=](size_t i) mutable {
      Generator own(generator);
      out[i] = own();
    });
  } else {
    for (; first != last; ++first)
      *first = generator();
  }
}

// clang-format off
#define CUDACPU_ALGORITHMS(X) \
  X(for_each_n) X(for_each) X(transform) X(gather) X(scatter) X(fill) X(fill_n) X(sequence) \
  X(tabulate) X(replace_if) X(adjacent_difference) X(copy) X(copy_n) X(reduce) \
  X(transform_reduce) X(inner_product) X(count_if) X(count) X(min_element) X(max_element) \
  X(minmax_element) X(find) X(find_if) X(any_of) X(all_of) \
  X(none_of) X(equal) X(is_sorted) X(inclusive_scan) X(exclusive_scan) \
  X(transform_inclusive_scan) X(transform_exclusive_scan) X(inclusive_scan_by_key) \
  X(reduce_by_key) X(stable_sort) X(sort) X(stable_sort_by_key) X(sort_by_key) X(reverse) \
  X(copy_if) X(remove_if) X(remove) X(unique) X(unique_copy) X(unique_count) \
  X(unique_by_key_copy) X(generate)
// clang-format on
CUDACPU_ALGORITHMS(CUDACPU_WITHOUT_POLICY)
#undef CUDACPU_ALGORITHMS

}  // namespace thrust

#include "policies_end.h"
