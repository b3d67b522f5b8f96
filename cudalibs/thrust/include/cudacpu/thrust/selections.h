// Thrust's algorithms that leave elements out, part them, or put them into another order.
#pragma once

#include "algorithms.h"
#include "policies_begin.h"

namespace thrust {

// ---- a thread per element ----

template <CUDACPU_POLICY, typename In, typename Out, typename Function, typename Predicate>
CUDACPU_HOST_DEVICE Out transform_if(const Policy& policy, In first, In last, Out result,
                                     Function function, Predicate predicate) {
  const auto in = detail::unwrap(first);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    if (predicate(in[i])) out[i] = function(in[i]);
  });
  return result + (last - first);
}
template <CUDACPU_POLICY, typename In, typename Stencil, typename Out, typename Function,
          typename Predicate>
CUDACPU_HOST_DEVICE Out transform_if(const Policy& policy, In first, In last, Stencil stencil_first,
                                     Out result, Function function, Predicate predicate) {
  const auto in = detail::unwrap(first);
  const auto stencil = detail::unwrap(stencil_first);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    if (predicate(stencil[i])) out[i] = function(in[i]);
  });
  return result + (last - first);
}
template <CUDACPU_POLICY, typename InOut, typename T>
CUDACPU_HOST_DEVICE void replace(const Policy& policy, InOut first, InOut last, const T& before,
                                 const T& after) {
  auto x = detail::unwrap(first);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    if (x[i] == before) x[i] = after;
  });
}
template <CUDACPU_POLICY, typename In, typename Out, typename Predicate, typename T>
CUDACPU_HOST_DEVICE Out replace_copy_if(const Policy& policy, In first, In last, Out result,
                                        Predicate predicate, const T& value) {
  const auto in = detail::unwrap(first);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    const detail::value_of<In> x = in[i];
    out[i] = predicate(x) ? detail::value_of<In>(value) : x;
  });
  return result + (last - first);
}
template <CUDACPU_POLICY, typename In, typename Stencil, typename Out, typename Predicate,
          typename T>
CUDACPU_HOST_DEVICE Out replace_copy_if(const Policy& policy, In first, In last,
                                        Stencil stencil_first, Out result, Predicate predicate,
                                        const T& value) {
  const auto in = detail::unwrap(first);
  const auto stencil = detail::unwrap(stencil_first);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    out[i] = predicate(stencil[i]) ? detail::value_of<In>(value) : detail::value_of<In>(in[i]);
  });
  return result + (last - first);
}
template <CUDACPU_POLICY, typename In, typename Out, typename T>
CUDACPU_HOST_DEVICE Out replace_copy(const Policy& policy, In first, In last, Out result,
                                     const T& before, const T& after) {
  return thrust::replace_copy_if(
      policy, first, last, result, [=](const auto& x) { return x == before; }, after);
}
template <CUDACPU_POLICY, typename InOut1, typename InOut2>
CUDACPU_HOST_DEVICE InOut2 swap_ranges(const Policy& policy, InOut1 first, InOut1 last,
                                       InOut2 second) {
  auto a = detail::unwrap(first);
  auto b = detail::unwrap(second);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    const detail::value_of<InOut1> x = a[i];
    a[i] = b[i];
    b[i] = x;
  });
  return second + (last - first);
}
template <CUDACPU_POLICY, typename In, typename Map, typename Stencil, typename Out,
          typename Predicate>
CUDACPU_HOST_DEVICE void scatter_if(const Policy& policy, In first, In last, Map map_first,
                                    Stencil stencil_first, Out result, Predicate predicate) {
  const auto in = detail::unwrap(first);
  const auto map = detail::unwrap(map_first);
  const auto stencil = detail::unwrap(stencil_first);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    if (predicate(stencil[i])) out[map[i]] = in[i];
  });
}
template <CUDACPU_POLICY, typename In, typename Map, typename Stencil, typename Out>
CUDACPU_HOST_DEVICE void scatter_if(const Policy& policy, In first, In last, Map map_first,
                                    Stencil stencil_first, Out result) {
  thrust::scatter_if(policy, first, last, map_first, stencil_first, result, identity<>());
}
template <CUDACPU_POLICY, typename Map, typename Stencil, typename In, typename Out,
          typename Predicate>
CUDACPU_HOST_DEVICE Out gather_if(const Policy& policy, Map first, Map last, Stencil stencil_first,
                                  In input, Out result, Predicate predicate) {
  const auto map = detail::unwrap(first);
  const auto stencil = detail::unwrap(stencil_first);
  const auto in = detail::unwrap(input);
  auto out = detail::unwrap(result);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    if (predicate(stencil[i])) out[i] = in[map[i]];
  });
  return result + (last - first);
}
template <CUDACPU_POLICY, typename Map, typename Stencil, typename In, typename Out>
CUDACPU_HOST_DEVICE Out gather_if(const Policy& policy, Map first, Map last, Stencil stencil_first,
                                  In input, Out result) {
  return thrust::gather_if(policy, first, last, stencil_first, input, result, identity<>());
}
template <CUDACPU_POLICY, typename In, typename Out>
CUDACPU_HOST_DEVICE Out reverse_copy(const Policy& policy, In first, In last, Out result) {
  const auto in = detail::unwrap(first);
  auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first;
  detail::for_each_index(policy, n, [=](size_t i) mutable { out[i] = in[n - 1 - i]; });
  return result + n;
}
template <CUDACPU_POLICY, typename Out, typename T>
CUDACPU_HOST_DEVICE void uninitialized_fill(const Policy& policy, Out first, Out last,
                                            const T& value) {
  auto out = detail::unwrap(first);
  detail::for_each_index(policy, last - first, [=](size_t i) mutable {
    new (static_cast<void*>(&out[i])) detail::value_of<Out>(value);
  });
}
template <CUDACPU_POLICY, typename In, typename Out>
CUDACPU_HOST_DEVICE Out uninitialized_copy(const Policy& policy, In first, In last, Out result) {
  return thrust::copy(policy, first, last, result);
}
template <CUDACPU_POLICY, typename Out, typename Generator>
CUDACPU_HOST_DEVICE Out generate_n(const Policy& policy, Out first, size_t n, Generator generator) {
  thrust::generate(policy, first, first + n, generator);
  return first + n;
}

// ---- in order, by a single thread ----

template <CUDACPU_POLICY, typename In, typename Stencil, typename Out, typename Predicate>
CUDACPU_HOST_DEVICE Out remove_copy_if(const Policy& policy, In first, In last, Stencil stencil,
                                       Out result, Predicate predicate) {
  return thrust::copy_if(policy, first, last, stencil, result,
                         [=](const auto& x) mutable { return !predicate(x); });
}
template <CUDACPU_POLICY, typename In, typename Out, typename Predicate>
CUDACPU_HOST_DEVICE Out remove_copy_if(const Policy& policy, In first, In last, Out result,
                                       Predicate predicate) {
  return thrust::remove_copy_if(policy, first, last, first, result, predicate);
}
template <CUDACPU_POLICY, typename In, typename Out, typename T>
CUDACPU_HOST_DEVICE Out remove_copy(const Policy& policy, In first, In last, Out result,
                                    const T& value) {
  return thrust::remove_copy_if(policy, first, last, result,
                                [=](const auto& x) { return x == value; });
}
// The elements for which the predicate holds for the stencil's elements come first.
template <CUDACPU_POLICY, typename InOut, typename Stencil, typename Predicate>
CUDACPU_HOST_DEVICE InOut stable_partition(const Policy& policy, InOut first, InOut last,
                                           Stencil stencil_first, Predicate predicate) {
  auto x = detail::unwrap(first);
  const auto stencil = detail::unwrap(stencil_first);
  const std::ptrdiff_t n = last - first;
  return first + detail::run_once(policy, [=]() mutable -> std::ptrdiff_t {
           using T = detail::value_of<InOut>;
           T* rest = static_cast<T*>(malloc(n * sizeof(T) + 1));
           std::ptrdiff_t count = 0, left = 0;
           for (std::ptrdiff_t i = 0; i < n; ++i) {
             const T value = x[i];
             if (predicate(stencil[i])) {
               x[count++] = value;
             } else {
               new (&rest[left++]) T(value);
             }
           }
           for (std::ptrdiff_t i = 0; i < left; ++i)
             x[count + i] = rest[i];
           free(rest);
           return count;
         });
}
template <CUDACPU_POLICY, typename InOut, typename Predicate>
CUDACPU_HOST_DEVICE InOut stable_partition(const Policy& policy, InOut first, InOut last,
                                           Predicate predicate) {
  return thrust::stable_partition(policy, first, last, first, predicate);
}
template <CUDACPU_POLICY, typename InOut, typename... Rest>
CUDACPU_HOST_DEVICE InOut partition(const Policy& policy, InOut first, InOut last, Rest... rest) {
  return thrust::stable_partition(policy, first, last, rest...);
}
template <CUDACPU_POLICY, typename In, typename Stencil, typename Out1, typename Out2,
          typename Predicate>
CUDACPU_HOST_DEVICE pair<Out1, Out2> partition_copy(const Policy& policy, In first, In last,
                                                    Stencil stencil, Out1 yes, Out2 no,
                                                    Predicate predicate) {
  return {thrust::copy_if(policy, first, last, stencil, yes, predicate),
          thrust::remove_copy_if(policy, first, last, stencil, no, predicate)};
}
template <CUDACPU_POLICY, typename In, typename Out1, typename Out2, typename Predicate>
CUDACPU_HOST_DEVICE pair<Out1, Out2> partition_copy(const Policy& policy, In first, In last,
                                                    Out1 yes, Out2 no, Predicate predicate) {
  return thrust::partition_copy(policy, first, last, first, yes, no, predicate);
}
template <CUDACPU_POLICY, typename In, typename... Rest>
CUDACPU_HOST_DEVICE auto stable_partition_copy(const Policy& policy, In first, In last,
                                               Rest... rest) {
  return thrust::partition_copy(policy, first, last, rest...);
}
template <CUDACPU_POLICY, typename In, typename Predicate>
CUDACPU_HOST_DEVICE In find_if_not(const Policy& policy, In first, In last, Predicate predicate) {
  return thrust::find_if(policy, first, last, [=](const auto& x) mutable { return !predicate(x); });
}
template <CUDACPU_POLICY, typename In, typename Predicate>
CUDACPU_HOST_DEVICE In partition_point(const Policy& policy, In first, In last,
                                       Predicate predicate) {
  return thrust::find_if_not(policy, first, last, predicate);
}
template <CUDACPU_POLICY, typename In, typename Predicate>
CUDACPU_HOST_DEVICE bool is_partitioned(const Policy& policy, In first, In last,
                                        Predicate predicate) {
  return thrust::count_if(policy, first, last, predicate) ==
         thrust::partition_point(policy, first, last, predicate) - first;
}
template <CUDACPU_POLICY, typename In1, typename In2, typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE pair<In1, In2> mismatch(const Policy& policy, In1 first, In1 last, In2 second,
                                            Equal same = Equal()) {
  const auto a = detail::unwrap(first);
  const auto b = detail::unwrap(second);
  const std::ptrdiff_t n = last - first;
  const std::ptrdiff_t agree = detail::run_once(policy, [=]() mutable -> std::ptrdiff_t {
    std::ptrdiff_t i = 0;
    while (i < n && same(a[i], b[i]))
      ++i;
    return i;
  });
  return {first + agree, second + agree};
}
template <CUDACPU_POLICY, typename Keys, typename Values, typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE pair<Keys, Values> unique_by_key(const Policy& policy, Keys first, Keys last,
                                                     Values values, Equal same = Equal()) {
  return thrust::unique_by_key_copy(policy, first, last, values, first, values, same);
}
template <CUDACPU_POLICY, typename Keys, typename In, typename Out, typename T, typename Equal,
          typename Function>
CUDACPU_HOST_DEVICE Out exclusive_scan_by_key(const Policy& policy, Keys first, Keys last,
                                              In values, Out result, T start, Equal same,
                                              Function function) {
  const auto keys = detail::unwrap(first);
  const auto in = detail::unwrap(values);
  auto out = detail::unwrap(result);
  const std::ptrdiff_t n = last - first;
  detail::run_once(policy, [=]() mutable {
    T sum = start;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const detail::value_of<In> value = in[i];  // input and output may be the same
      if (i > 0 && !same(keys[i - 1], keys[i])) sum = start;
      out[i] = sum;
      sum = function(sum, value);
    }
  });
  return result + n;
}
template <CUDACPU_POLICY, typename Keys, typename In, typename Out, typename T,
          typename Equal = equal_to<>>
CUDACPU_HOST_DEVICE Out exclusive_scan_by_key(const Policy& policy, Keys first, Keys last,
                                              In values, Out result, T start,
                                              Equal same = Equal()) {
  return thrust::exclusive_scan_by_key(policy, first, last, values, result, start, same, plus<>());
}
template <CUDACPU_POLICY, typename Keys, typename In, typename Out>
CUDACPU_HOST_DEVICE Out exclusive_scan_by_key(const Policy& policy, Keys first, Keys last,
                                              In values, Out result) {
  return thrust::exclusive_scan_by_key(policy, first, last, values, result, detail::value_of<In>());
}
template <CUDACPU_POLICY, typename In, typename Less = less<>>
CUDACPU_HOST_DEVICE In is_sorted_until(const Policy& policy, In first, In last,
                                       Less less_than = Less()) {
  const auto in = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  return first + detail::run_once(policy, [=]() -> std::ptrdiff_t {
           return std::is_sorted_until(in, in + n, less_than) - in;
         });
}

// Fisher and Yates's way; the generator is the caller's, and left where the last number was drawn.
template <CUDACPU_POLICY, typename InOut, typename Generator>
CUDACPU_HOST_DEVICE void shuffle(const Policy& policy, InOut first, InOut last,
                                 Generator&& generator) {
  auto x = detail::unwrap(first);
  const std::ptrdiff_t n = last - first;
  const auto start = generator;
  generator = detail::run_once(policy, [=]() mutable {
    auto numbers = start;
    for (std::ptrdiff_t left = n; left > 1; --left) {
      const std::ptrdiff_t i = static_cast<std::ptrdiff_t>(
          (numbers() - std::decay_t<Generator>::min) % static_cast<unsigned long long>(left));
      const detail::value_of<InOut> value = x[i];
      x[i] = x[left - 1];
      x[left - 1] = value;
    }
    return numbers;
  });
}
template <typename InOut, typename Generator,
          typename = std::enable_if_t<!detail::is_policy<InOut>::value>>
CUDACPU_HOST_DEVICE void shuffle(InOut first, InOut last, Generator&& generator) {
  thrust::shuffle(detail::place_of<InOut>(), first, last, generator);
}
template <CUDACPU_POLICY, typename In, typename Out, typename Generator>
CUDACPU_HOST_DEVICE void shuffle_copy(const Policy& policy, In first, In last, Out result,
                                      Generator&& generator) {
  thrust::copy(policy, first, last, result);
  thrust::shuffle(policy, result, result + (last - first), generator);
}
template <typename In, typename Out, typename Generator,
          typename = std::enable_if_t<!detail::is_policy<In>::value>>
CUDACPU_HOST_DEVICE void shuffle_copy(In first, In last, Out result, Generator&& generator) {
  thrust::shuffle_copy(detail::place_of<In, Out>(), first, last, result, generator);
}

// clang-format off
#define CUDACPU_ALGORITHMS(X) \
  X(transform_if) X(replace) X(replace_copy_if) X(replace_copy) X(swap_ranges) X(scatter_if) \
  X(gather_if) X(reverse_copy) X(uninitialized_fill) X(uninitialized_copy) X(generate_n) \
  X(remove_copy_if) X(remove_copy) X(stable_partition) X(partition) X(partition_copy) \
  X(stable_partition_copy) X(find_if_not) \
  X(partition_point) X(is_partitioned) X(mismatch) X(unique_by_key) X(exclusive_scan_by_key) \
  X(is_sorted_until)
// clang-format on
CUDACPU_ALGORITHMS(CUDACPU_WITHOUT_POLICY)
#undef CUDACPU_ALGORITHMS

}  // namespace thrust

#include "policies_end.h"
