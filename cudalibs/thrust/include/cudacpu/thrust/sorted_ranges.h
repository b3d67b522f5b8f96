// Thrust's algorithms on sorted ranges: many searches at once, merging, sets.
#pragma once

#include "algorithms.h"
#include "policies_begin.h"

namespace thrust {

// A thread per searched value.
#define CUDACPU_SEARCHES(name, result_of)                                                    \
  template <CUDACPU_POLICY, typename In, typename Values, typename Out, typename Less>       \
  CUDACPU_HOST_DEVICE Out name(const Policy& policy, In first, In last, Values values_first, \
                               Values values_last, Out result, Less less_than) {             \
    const auto in = detail::unwrap(first);                                                   \
    const auto values = detail::unwrap(values_first);                                        \
    auto out = detail::unwrap(result);                                                       \
    const std::ptrdiff_t n = last - first;                                                   \
    detail::for_each_index(policy, values_last - values_first, [=](size_t i) mutable {       \
      const detail::value_of<Values> value = values[i];                                      \
      out[i] = result_of;                                                                    \
    });                                                                                      \
    return result + (values_last - values_first);                                            \
  }                                                                                          \
  template <CUDACPU_POLICY, typename In, typename Values, typename Out>                      \
  CUDACPU_HOST_DEVICE Out name(const Policy& policy, In first, In last, Values values_first, \
                               Values values_last, Out result) {                             \
    return thrust::name(policy, first, last, values_first, values_last, result, less<>());   \
  }
CUDACPU_SEARCHES(lower_bound, std::lower_bound(in, in + n, value, less_than) - in)
CUDACPU_SEARCHES(upper_bound, std::upper_bound(in, in + n, value, less_than) - in)
CUDACPU_SEARCHES(binary_search, std::binary_search(in, in + n, value, less_than))
#undef CUDACPU_SEARCHES
template <CUDACPU_POLICY, typename In, typename T, typename Less = less<>>
CUDACPU_HOST_DEVICE bool binary_search(const Policy& policy, In first, In last, const T& value,
                                       Less less_than = Less()) {
  const auto in = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  return detail::run_once(policy, [=] { return std::binary_search(in, in + n, value, less_than); });
}
template <CUDACPU_POLICY, typename In, typename T, typename Less = less<>>
CUDACPU_HOST_DEVICE pair<In, In> equal_range(const Policy& policy, In first, In last,
                                             const T& value, Less less_than = Less()) {
  return {thrust::lower_bound(policy, first, last, value, less_than),
          thrust::upper_bound(policy, first, last, value, less_than)};
}

// Makes one range of two sorted ranges: `take` sees which element comes next, and says whether the
// element is kept.
#define CUDACPU_TWO_RANGES(name)                                                                 \
  template <CUDACPU_POLICY, typename In1, typename In2, typename Out, typename Less>             \
  CUDACPU_HOST_DEVICE Out name(const Policy& policy, In1 first, In1 last, In2 first2, In2 last2, \
                               Out result, Less less_than) {                                     \
    const auto a = detail::unwrap(first);                                                        \
    const auto b = detail::unwrap(first2);                                                       \
    const auto out = detail::unwrap(result);                                                     \
    const std::ptrdiff_t n = last - first, m = last2 - first2;                                   \
    return result + detail::run_once(policy, [=]() -> std::ptrdiff_t {                           \
             return std::name(a, a + n, b, b + m, out, less_than) - out;                         \
           });                                                                                   \
  }                                                                                              \
  template <CUDACPU_POLICY, typename In1, typename In2, typename Out>                            \
  CUDACPU_HOST_DEVICE Out name(const Policy& policy, In1 first, In1 last, In2 first2, In2 last2, \
                               Out result) {                                                     \
    return thrust::name(policy, first, last, first2, last2, result, less<>());                   \
  }
CUDACPU_TWO_RANGES(merge)
CUDACPU_TWO_RANGES(set_union)
CUDACPU_TWO_RANGES(set_intersection)
CUDACPU_TWO_RANGES(set_difference)
CUDACPU_TWO_RANGES(set_symmetric_difference)
#undef CUDACPU_TWO_RANGES

template <CUDACPU_POLICY, typename Keys1, typename Keys2, typename Values1, typename Values2,
          typename OutKeys, typename Out, typename Less>
CUDACPU_HOST_DEVICE pair<OutKeys, Out> merge_by_key(const Policy& policy, Keys1 first, Keys1 last,
                                                    Keys2 first2, Keys2 last2, Values1 values,
                                                    Values2 values2, OutKeys result_keys,
                                                    Out result, Less less_than) {
  const auto a = detail::unwrap(first);
  const auto b = detail::unwrap(first2);
  const auto va = detail::unwrap(values);
  const auto vb = detail::unwrap(values2);
  auto out_keys = detail::unwrap(result_keys);
  auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first, m = last2 - first2;
  detail::run_once(policy, [=]() mutable {
    std::ptrdiff_t i = 0, j = 0;
    for (std::ptrdiff_t k = 0; k < n + m; ++k) {
      if (i == n || (j < m && less_than(b[j], a[i]))) {
        out_keys[k] = b[j];
        out[k] = vb[j++];
      } else {
        out_keys[k] = a[i];
        out[k] = va[i++];
      }
    }
  });
  return {result_keys + (n + m), result + (n + m)};
}
template <CUDACPU_POLICY, typename Keys1, typename Keys2, typename Values1, typename Values2,
          typename OutKeys, typename Out>
CUDACPU_HOST_DEVICE pair<OutKeys, Out> merge_by_key(const Policy& policy, Keys1 first, Keys1 last,
                                                    Keys2 first2, Keys2 last2, Values1 values,
                                                    Values2 values2, OutKeys result_keys,
                                                    Out result) {
  return thrust::merge_by_key(policy, first, last, first2, last2, values, values2, result_keys,
                              result, less<>());
}

// clang-format off
#define CUDACPU_ALGORITHMS(X) \
  X(lower_bound) X(upper_bound) X(binary_search) X(equal_range) X(merge) X(set_union) X(set_intersection) X(set_difference) \
  X(set_symmetric_difference) X(merge_by_key)
// clang-format on
CUDACPU_ALGORITHMS(CUDACPU_WITHOUT_POLICY)
#undef CUDACPU_ALGORITHMS

}  // namespace thrust

#include "policies_end.h"
