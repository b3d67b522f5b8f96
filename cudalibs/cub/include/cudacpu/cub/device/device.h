// CUB's algorithms on whole arrays. Each launches a kernel in which a single thread does all the
// work, in order. The first call, without memory, requests one byte.
#pragma once

#include "../block.h"
#include "cudacpu/thrust/sorted_ranges.h"

namespace cub {
namespace detail {

// CUB's calls return before the work has ended.
CUDACPU_HOST_DEVICE inline thrust::device_policy in_stream(cudaStream_t stream) {
  return {stream, false};
}

// Runs `function` as a kernel or, without memory, only sets `bytes`.
template <typename Function>
CUDACPU_HOST_DEVICE cudaError_t run(void* memory, size_t& bytes, cudaStream_t stream,
                                    Function function) {
  if (!memory) {
    bytes = 1;
    return cudaSuccess;
  }
  thrust::detail::run_once(in_stream(stream), function);
  return cudaPeekAtLastError();
}

template <typename In>
using ValueOf = thrust::detail::value_of<In>;

// The start of a sum, by the type of the output: a count of flags is a count of ints.
template <typename In, typename Out>
CUDACPU_HOST_DEVICE auto zero_of() {
  using Result = ValueOf<Out>;
  if constexpr (std::is_void<Result>::value) {
    return ValueOf<In>();
  } else {
    return Result();
  }
}

template <typename In, typename Initial, typename Operation>
CUDACPU_HOST_DEVICE auto fold(In in, long long begin, long long end, Initial initial,
                              Operation operation) {
  const Accumulator<Operation, Initial, decltype(in[begin])> start = initial;
  return thrust::detail::sum_of(end - begin, start, operation,
                                [=](std::ptrdiff_t i) -> decltype(auto) { return in[begin + i]; });
}

// The end of the run of equal elements that begins at i.
template <typename In>
CUDACPU_HOST_DEVICE long long end_of_run(In in, long long i, long long n) {
  long long end = i + 1;
  while (end < n && in[end] == in[i])
    ++end;
  return end;
}

// A value given at once, or a FutureValue, which exists when the kernel runs.
template <typename T>
CUDACPU_HOST_DEVICE T now(const T& value) {
  return value;
}
template <typename T, typename In>
CUDACPU_HOST_DEVICE T now(const FutureValue<T, In>& value) {
  return value;
}

// The indices and values of an array.
template <typename In>
struct Indexed {
  In in;
  CUDACPU_HOST_DEVICE KeyValuePair<int, ValueOf<In>> operator[](long long i) const {
    return {static_cast<int>(i), in[i]};
  }
};

}  // namespace detail

struct DeviceReduce {
  template <typename In, typename Out, typename Operation, typename T>
  CUDACPU_HOST_DEVICE static cudaError_t Reduce(void* memory, size_t& bytes, In given, Out out,
                                                long long n, Operation operation, T initial,
                                                cudaStream_t stream = nullptr) {
    const auto in = thrust::detail::unwrap(given);
    auto to = thrust::detail::unwrap(out);
    return detail::run(memory, bytes, stream,
                       [=]() mutable { to[0] = detail::fold(in, 0, n, initial, operation); });
  }
  template <typename In, typename Out>
  CUDACPU_HOST_DEVICE static cudaError_t Sum(void* memory, size_t& bytes, In in, Out out,
                                             long long n, cudaStream_t stream = nullptr) {
    return Reduce(memory, bytes, in, out, n, cub::Sum(), detail::zero_of<In, Out>(), stream);
  }
  template <typename In, typename Out>
  CUDACPU_HOST_DEVICE static cudaError_t Max(void* memory, size_t& bytes, In in, Out out,
                                             long long n, cudaStream_t stream = nullptr) {
    return Reduce(memory, bytes, in, out, n, cub::Max(),
                  std::numeric_limits<detail::ValueOf<In>>::lowest(), stream);
  }
  template <typename In, typename Out>
  CUDACPU_HOST_DEVICE static cudaError_t Min(void* memory, size_t& bytes, In in, Out out,
                                             long long n, cudaStream_t stream = nullptr) {
    return Reduce(memory, bytes, in, out, n, cub::Min(),
                  std::numeric_limits<detail::ValueOf<In>>::max(), stream);
  }
  template <typename In, typename Out>
  CUDACPU_HOST_DEVICE static cudaError_t ArgMax(void* memory, size_t& bytes, In in, Out out,
                                                long long n, cudaStream_t stream = nullptr) {
    return arg(memory, bytes, in, out, n, cub::ArgMax(), stream);
  }
  template <typename In, typename Out>
  CUDACPU_HOST_DEVICE static cudaError_t ArgMin(void* memory, size_t& bytes, In in, Out out,
                                                long long n, cudaStream_t stream = nullptr) {
    return arg(memory, bytes, in, out, n, cub::ArgMin(), stream);
  }
  // As a value and an index.
  template <typename In, typename Out, typename Index,
            typename = std::enable_if_t<!std::is_arithmetic<Index>::value>>
  CUDACPU_HOST_DEVICE static cudaError_t ArgMax(void* memory, size_t& bytes, In in, Out out,
                                                Index index, long long n,
                                                cudaStream_t stream = nullptr) {
    return arg_apart(memory, bytes, in, out, index, n, cub::ArgMax(), stream);
  }
  template <typename In, typename Out, typename Index,
            typename = std::enable_if_t<!std::is_arithmetic<Index>::value>>
  CUDACPU_HOST_DEVICE static cudaError_t ArgMin(void* memory, size_t& bytes, In in, Out out,
                                                Index index, long long n,
                                                cudaStream_t stream = nullptr) {
    return arg_apart(memory, bytes, in, out, index, n, cub::ArgMin(), stream);
  }
  template <typename In, typename Out, typename Operation, typename Function, typename T>
  CUDACPU_HOST_DEVICE static cudaError_t TransformReduce(void* memory, size_t& bytes, In given,
                                                         Out out, long long n, Operation operation,
                                                         Function function, T initial,
                                                         cudaStream_t stream = nullptr) {
    const auto in = thrust::detail::unwrap(given);
    return Reduce(memory, bytes, thrust::make_transform_iterator(in, function), out, n, operation,
                  initial, stream);
  }
  template <typename Keys, typename OutKeys, typename In, typename Out, typename Count,
            typename Operation>
  CUDACPU_HOST_DEVICE static cudaError_t ReduceByKey(void* memory, size_t& bytes, Keys given_keys,
                                                     OutKeys unique, In given, Out sums,
                                                     Count count, Operation operation, long long n,
                                                     cudaStream_t stream = nullptr) {
    const auto keys = thrust::detail::unwrap(given_keys);
    const auto in = thrust::detail::unwrap(given);
    return detail::run(memory, bytes, stream, [=]() mutable {
      long long runs = 0;
      for (long long i = 0, end; i < n; i = end) {
        end = detail::end_of_run(keys, i, n);
        unique[runs] = keys[i];
        sums[runs++] = detail::fold(in, i + 1, end, in[i], operation);
      }
      *count = runs;
    });
  }

 private:
  template <typename In, typename Out, typename Index, typename Operation>
  CUDACPU_HOST_DEVICE static cudaError_t arg_apart(void* memory, size_t& bytes, In given, Out out,
                                                   Index index, long long n, Operation operation,
                                                   cudaStream_t stream) {
    const auto in = thrust::detail::unwrap(given);
    const detail::Indexed<std::decay_t<decltype(in)>> pairs{in};
    return detail::run(memory, bytes, stream, [=]() mutable {
      const auto found = detail::fold(pairs, 1, n, pairs[0], operation);
      *out = found.value;
      *index = found.key;
    });
  }
  template <typename In, typename Out, typename Operation>
  CUDACPU_HOST_DEVICE static cudaError_t arg(void* memory, size_t& bytes, In given, Out out,
                                             long long n, Operation operation,
                                             cudaStream_t stream) {
    const auto in = thrust::detail::unwrap(given);
    const detail::Indexed<std::decay_t<decltype(in)>> pairs{in};
    return detail::run(memory, bytes, stream, [=]() mutable {
      const auto found = detail::fold(pairs, 1, n, pairs[0], operation);
      out[0].key = found.key;
      out[0].value = found.value;
    });
  }
};

struct DeviceSegmentedReduce {
  template <typename In, typename Out, typename Begins, typename Ends, typename Operation,
            typename T>
  CUDACPU_HOST_DEVICE static cudaError_t Reduce(void* memory, size_t& bytes, In in, Out out,
                                                long long segments, Begins begins, Ends ends,
                                                Operation operation, T initial,
                                                cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=]() mutable {
      for (long long s = 0; s < segments; ++s)
        out[s] = detail::fold(in, begins[s], ends[s], initial, operation);
    });
  }
  template <typename In, typename Out, typename Begins, typename Ends>
  CUDACPU_HOST_DEVICE static cudaError_t Sum(void* memory, size_t& bytes, In in, Out out,
                                             long long segments, Begins begins, Ends ends,
                                             cudaStream_t stream = nullptr) {
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Sum(),
                  detail::zero_of<In, Out>(), stream);
  }
  template <typename In, typename Out, typename Begins, typename Ends>
  CUDACPU_HOST_DEVICE static cudaError_t Max(void* memory, size_t& bytes, In in, Out out,
                                             long long segments, Begins begins, Ends ends,
                                             cudaStream_t stream = nullptr) {
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Max(),
                  std::numeric_limits<detail::ValueOf<In>>::lowest(), stream);
  }
  template <typename In, typename Out, typename Begins, typename Ends>
  CUDACPU_HOST_DEVICE static cudaError_t Min(void* memory, size_t& bytes, In in, Out out,
                                             long long segments, Begins begins, Ends ends,
                                             cudaStream_t stream = nullptr) {
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Min(),
                  std::numeric_limits<detail::ValueOf<In>>::max(), stream);
  }
};

struct DeviceScan {
  template <typename In, typename Out, typename Operation>
  CUDACPU_HOST_DEVICE static cudaError_t InclusiveScan(void* memory, size_t& bytes, In given,
                                                       Out given_out, Operation operation,
                                                       long long n, cudaStream_t stream = nullptr) {
    const auto in = thrust::detail::unwrap(given);
    auto out = thrust::detail::unwrap(given_out);
    return detail::run(memory, bytes, stream, [=]() mutable {
      if (n == 0) return;
      detail::Accumulator<Operation, detail::ValueOf<In>, detail::ValueOf<In>> sum = in[0];
      out[0] = sum;
      for (long long i = 1; i < n; ++i) {
        sum = operation(sum, in[i]);
        out[i] = sum;
      }
    });
  }
  template <typename In, typename Out, typename Operation, typename T>
  CUDACPU_HOST_DEVICE static cudaError_t ExclusiveScan(void* memory, size_t& bytes, In given,
                                                       Out given_out, Operation operation,
                                                       T initial, long long n,
                                                       cudaStream_t stream = nullptr) {
    const auto in = thrust::detail::unwrap(given);
    auto out = thrust::detail::unwrap(given_out);
    return detail::run(memory, bytes, stream, [=]() mutable {
      const auto first = detail::now(initial);
      detail::Accumulator<Operation, decltype(first), detail::ValueOf<In>> sum = first;
      for (long long i = 0; i < n; ++i) {
        const auto value = in[i];  // the output may lie in the same place
        out[i] = sum;
        sum = operation(sum, value);
      }
    });
  }
  template <typename In, typename Out>
  CUDACPU_HOST_DEVICE static cudaError_t InclusiveSum(void* memory, size_t& bytes, In in, Out out,
                                                      long long n, cudaStream_t stream = nullptr) {
    return InclusiveScan(memory, bytes, in, out, cub::Sum(), n, stream);
  }
  template <typename In, typename Out>
  CUDACPU_HOST_DEVICE static cudaError_t ExclusiveSum(void* memory, size_t& bytes, In in, Out out,
                                                      long long n, cudaStream_t stream = nullptr) {
    return ExclusiveScan(memory, bytes, in, out, cub::Sum(), detail::ValueOf<In>(), n, stream);
  }
  template <typename In, typename Out, typename Operation, typename T>
  CUDACPU_HOST_DEVICE static cudaError_t InclusiveScanInit(void* memory, size_t& bytes, In given,
                                                           Out given_out, Operation operation,
                                                           T initial, long long n,
                                                           cudaStream_t stream = nullptr) {
    const auto in = thrust::detail::unwrap(given);
    auto out = thrust::detail::unwrap(given_out);
    return detail::run(memory, bytes, stream, [=]() mutable {
      detail::Accumulator<Operation, T, detail::ValueOf<In>> sum = initial;
      for (long long i = 0; i < n; ++i)
        out[i] = sum = operation(sum, in[i]);
    });
  }

  // A scan of each run of equal keys by itself.
  template <typename Keys, typename In, typename Out, typename Operation, typename T,
            typename Equal = std::equal_to<>>
  CUDACPU_HOST_DEVICE static cudaError_t ExclusiveScanByKey(
      void* memory, size_t& bytes, Keys given_keys, In given, Out given_out, Operation operation,
      T initial, long long n, Equal equal = {}, cudaStream_t stream = nullptr) {
    const auto keys = thrust::detail::unwrap(given_keys);
    const auto in = thrust::detail::unwrap(given);
    auto out = thrust::detail::unwrap(given_out);
    return detail::run(memory, bytes, stream, [=]() mutable {
      detail::Accumulator<Operation, T, detail::ValueOf<In>> sum = initial;
      for (long long i = 0; i < n; ++i) {
        const auto value = in[i];  // the output may lie in the same place
        if (i > 0 && !equal(keys[i - 1], keys[i])) sum = initial;
        out[i] = sum;
        sum = operation(sum, value);
      }
    });
  }
  template <typename Keys, typename In, typename Out, typename Operation,
            typename Equal = std::equal_to<>>
  CUDACPU_HOST_DEVICE static cudaError_t InclusiveScanByKey(void* memory, size_t& bytes,
                                                            Keys given_keys, In given,
                                                            Out given_out, Operation operation,
                                                            long long n, Equal equal = {},
                                                            cudaStream_t stream = nullptr) {
    const auto keys = thrust::detail::unwrap(given_keys);
    const auto in = thrust::detail::unwrap(given);
    auto out = thrust::detail::unwrap(given_out);
    return detail::run(memory, bytes, stream, [=]() mutable {
      if (n == 0) return;
      detail::Accumulator<Operation, detail::ValueOf<In>, detail::ValueOf<In>> sum = in[0];
      out[0] = sum;
      for (long long i = 1; i < n; ++i) {
        if (equal(keys[i - 1], keys[i])) {
          sum = operation(sum, in[i]);
        } else {
          sum = in[i];
        }
        out[i] = sum;
      }
    });
  }
  template <typename Keys, typename In, typename Out, typename Equal = std::equal_to<>>
  CUDACPU_HOST_DEVICE static cudaError_t ExclusiveSumByKey(void* memory, size_t& bytes, Keys keys,
                                                           In in, Out out, long long n,
                                                           Equal equal = {},
                                                           cudaStream_t stream = nullptr) {
    return ExclusiveScanByKey(memory, bytes, keys, in, out, cub::Sum(), detail::ValueOf<In>(), n,
                              equal, stream);
  }
  template <typename Keys, typename In, typename Out, typename Equal = std::equal_to<>>
  CUDACPU_HOST_DEVICE static cudaError_t InclusiveSumByKey(void* memory, size_t& bytes, Keys keys,
                                                           In in, Out out, long long n,
                                                           Equal equal = {},
                                                           cudaStream_t stream = nullptr) {
    return InclusiveScanByKey(memory, bytes, keys, in, out, cub::Sum(), n, equal, stream);
  }
};

struct DeviceRadixSort {
  template <typename Key>
  CUDACPU_HOST_DEVICE static cudaError_t SortKeys(void* memory, size_t& bytes, const Key* in,
                                                  Key* out, long long n, int begin = 0,
                                                  int end = sizeof(Key) * 8,
                                                  cudaStream_t stream = nullptr) {
    return keys(memory, bytes, in, out, n, {begin, end, false}, stream);
  }
  template <typename Key>
  CUDACPU_HOST_DEVICE static cudaError_t SortKeysDescending(void* memory, size_t& bytes,
                                                            const Key* in, Key* out, long long n,
                                                            int begin = 0,
                                                            int end = sizeof(Key) * 8,
                                                            cudaStream_t stream = nullptr) {
    return keys(memory, bytes, in, out, n, {begin, end, true}, stream);
  }
  template <typename Key, typename Value>
  CUDACPU_HOST_DEVICE static cudaError_t SortPairs(void* memory, size_t& bytes, const Key* in,
                                                   Key* out, const Value* values, Value* out_values,
                                                   long long n, int begin = 0,
                                                   int end = sizeof(Key) * 8,
                                                   cudaStream_t stream = nullptr) {
    return pairs(memory, bytes, in, out, values, out_values, n, {begin, end, false}, stream);
  }
  template <typename Key, typename Value>
  CUDACPU_HOST_DEVICE static cudaError_t SortPairsDescending(
      void* memory, size_t& bytes, const Key* in, Key* out, const Value* values, Value* out_values,
      long long n, int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = nullptr) {
    return pairs(memory, bytes, in, out, values, out_values, n, {begin, end, true}, stream);
  }
  template <typename Key>
  CUDACPU_HOST_DEVICE static cudaError_t SortKeys(void* memory, size_t& bytes,
                                                  DoubleBuffer<Key>& buffer, long long n,
                                                  int begin = 0, int end = sizeof(Key) * 8,
                                                  cudaStream_t stream = nullptr) {
    const auto error = SortKeys(memory, bytes, static_cast<const Key*>(buffer.Current()),
                                buffer.Alternate(), n, begin, end, stream);
    if (memory) buffer.selector ^= 1;
    return error;
  }
  template <typename Key, typename Value>
  CUDACPU_HOST_DEVICE static cudaError_t SortPairs(void* memory, size_t& bytes,
                                                   DoubleBuffer<Key>& buffer,
                                                   DoubleBuffer<Value>& values, long long n,
                                                   int begin = 0, int end = sizeof(Key) * 8,
                                                   cudaStream_t stream = nullptr) {
    const auto error = SortPairs(memory, bytes, static_cast<const Key*>(buffer.Current()),
                                 buffer.Alternate(), static_cast<const Value*>(values.Current()),
                                 values.Alternate(), n, begin, end, stream);
    if (memory) {
      buffer.selector ^= 1;
      values.selector ^= 1;
    }
    return error;
  }
  template <typename Key>
  CUDACPU_HOST_DEVICE static cudaError_t SortKeysDescending(void* memory, size_t& bytes,
                                                            DoubleBuffer<Key>& buffer, long long n,
                                                            int begin = 0,
                                                            int end = sizeof(Key) * 8,
                                                            cudaStream_t stream = nullptr) {
    const auto error = SortKeysDescending(memory, bytes, static_cast<const Key*>(buffer.Current()),
                                          buffer.Alternate(), n, begin, end, stream);
    if (memory) buffer.selector ^= 1;
    return error;
  }
  template <typename Key, typename Value>
  CUDACPU_HOST_DEVICE static cudaError_t SortPairsDescending(
      void* memory, size_t& bytes, DoubleBuffer<Key>& buffer, DoubleBuffer<Value>& values,
      long long n, int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = nullptr) {
    const auto error = SortPairsDescending(
        memory, bytes, static_cast<const Key*>(buffer.Current()), buffer.Alternate(),
        static_cast<const Value*>(values.Current()), values.Alternate(), n, begin, end, stream);
    if (memory) {
      buffer.selector ^= 1;
      values.selector ^= 1;
    }
    return error;
  }

 private:
  template <typename Key>
  CUDACPU_HOST_DEVICE static cudaError_t keys(void* memory, size_t& bytes, const Key* in, Key* out,
                                              long long n, detail::DigitOrder<Key> before,
                                              cudaStream_t stream) {
    return detail::run(memory, bytes, stream, [=] {
      for (long long i = 0; i < n; ++i)
        out[i] = in[i];
      thrust::detail::sort_stably(out, n, before);
    });
  }
  template <typename Key, typename Value>
  CUDACPU_HOST_DEVICE static cudaError_t pairs(void* memory, size_t& bytes, const Key* in, Key* out,
                                               const Value* values, Value* out_values, long long n,
                                               detail::DigitOrder<Key> before,
                                               cudaStream_t stream) {
    return detail::run(memory, bytes, stream, [=] {
      for (long long i = 0; i < n; ++i) {
        out[i] = in[i];
        out_values[i] = values[i];
      }
      thrust::stable_sort_by_key(thrust::seq, out, out + n, out_values, before);
    });
  }
};

struct DeviceMergeSort {
  template <typename Keys, typename Less>
  CUDACPU_HOST_DEVICE static cudaError_t SortKeys(void* memory, size_t& bytes, Keys keys,
                                                  long long n, Less less_than,
                                                  cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream,
                       [=] { thrust::detail::sort_stably(keys, n, less_than); });
  }
  template <typename Keys, typename Values, typename Less>
  CUDACPU_HOST_DEVICE static cudaError_t SortPairs(void* memory, size_t& bytes, Keys keys,
                                                   Values values, long long n, Less less_than,
                                                   cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=] {
      thrust::stable_sort_by_key(thrust::seq, keys, keys + n, values, less_than);
    });
  }
  template <typename In, typename Out, typename Less>
  CUDACPU_HOST_DEVICE static cudaError_t SortKeysCopy(void* memory, size_t& bytes, In in, Out out,
                                                      long long n, Less less_than,
                                                      cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=]() mutable {
      for (long long i = 0; i < n; ++i)
        out[i] = in[i];
      thrust::detail::sort_stably(out, n, less_than);
    });
  }
  template <typename In, typename Values, typename Out, typename OutValues, typename Less>
  CUDACPU_HOST_DEVICE static cudaError_t SortPairsCopy(void* memory, size_t& bytes, In in,
                                                       Values values, Out out, OutValues out_values,
                                                       long long n, Less less_than,
                                                       cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=]() mutable {
      for (long long i = 0; i < n; ++i) {
        out[i] = in[i];
        out_values[i] = values[i];
      }
      thrust::stable_sort_by_key(thrust::seq, out, out + n, out_values, less_than);
    });
  }
  // Every sort of the class is stable.
  template <typename... Arguments>
  CUDACPU_HOST_DEVICE static cudaError_t StableSortKeys(void* memory, size_t& bytes,
                                                        Arguments... arguments) {
    return SortKeys(memory, bytes, arguments...);
  }
  template <typename... Arguments>
  CUDACPU_HOST_DEVICE static cudaError_t StableSortKeysCopy(void* memory, size_t& bytes,
                                                            Arguments... arguments) {
    return SortKeysCopy(memory, bytes, arguments...);
  }
  template <typename... Arguments>
  CUDACPU_HOST_DEVICE static cudaError_t StableSortPairs(void* memory, size_t& bytes,
                                                         Arguments... arguments) {
    return SortPairs(memory, bytes, arguments...);
  }
};

namespace detail {

// Writes the chosen elements only.
struct KeepChosen {
  template <typename In, typename Out, typename Chosen>
  CUDACPU_HOST_DEVICE static long long write(In in, Out out, long long n, Chosen chosen) {
    long long selected = 0;
    for (long long i = 0; i < n; ++i)
      if (chosen(i)) out[selected++] = in[i];
    return selected;
  }
};

// Writes the rejected elements as well, from the end of the output, in reverse order.
struct PartChosen {
  template <typename In, typename Out, typename Chosen>
  CUDACPU_HOST_DEVICE static long long write(In in, Out out, long long n, Chosen chosen) {
    long long selected = 0, rejected = n;
    for (long long i = 0; i < n; ++i)
      out[chosen(i) ? selected++ : --rejected] = in[i];
    return selected;
  }
};

// The common calls of DeviceSelect and DevicePartition.
template <typename Writer>
struct Choice {
  template <typename In, typename Flags, typename Out, typename Count>
  CUDACPU_HOST_DEVICE static cudaError_t Flagged(void* memory, size_t& bytes, In in, Flags flags,
                                                 Out out, Count count, long long n,
                                                 cudaStream_t stream = nullptr) {
    return choose(memory, bytes, in, out, count, n, stream,
                  [=](long long i) -> bool { return flags[i]; });
  }
  template <typename In, typename Out, typename Count, typename Predicate>
  CUDACPU_HOST_DEVICE static cudaError_t If(void* memory, size_t& bytes, In in, Out out,
                                            Count count, long long n, Predicate predicate,
                                            cudaStream_t stream = nullptr) {
    return choose(memory, bytes, in, out, count, n, stream,
                  [=](long long i) mutable -> bool { return predicate(in[i]); });
  }

 protected:
  template <typename In, typename Out, typename Count, typename Chosen>
  CUDACPU_HOST_DEVICE static cudaError_t choose(void* memory, size_t& bytes, In in, Out out,
                                                Count count, long long n, cudaStream_t stream,
                                                Chosen chosen) {
    return run(memory, bytes, stream,
               [=]() mutable { *count = Writer::write(in, out, n, chosen); });
  }
};

}  // namespace detail

struct DeviceSelect : detail::Choice<detail::KeepChosen> {
  using Choice::Flagged, Choice::If;

  // In place.
  template <typename InOut, typename Flags, typename Count>
  CUDACPU_HOST_DEVICE static cudaError_t Flagged(void* memory, size_t& bytes, InOut data,
                                                 Flags flags, Count count, long long n,
                                                 cudaStream_t stream = nullptr) {
    return Flagged(memory, bytes, data, flags, data, count, n, stream);
  }
  template <typename InOut, typename Count, typename Predicate>
  CUDACPU_HOST_DEVICE static cudaError_t If(void* memory, size_t& bytes, InOut data, Count count,
                                            long long n, Predicate predicate,
                                            cudaStream_t stream = nullptr) {
    return If(memory, bytes, data, data, count, n, predicate, stream);
  }
  // The elements whose flag satisfies the predicate.
  template <typename In, typename Flags, typename Out, typename Count, typename Predicate>
  CUDACPU_HOST_DEVICE static cudaError_t FlaggedIf(void* memory, size_t& bytes, In in, Flags flags,
                                                   Out out, Count count, long long n,
                                                   Predicate predicate,
                                                   cudaStream_t stream = nullptr) {
    return choose(memory, bytes, in, out, count, n, stream,
                  [=](long long i) mutable -> bool { return predicate(flags[i]); });
  }
  template <typename In, typename Out, typename Count>
  CUDACPU_HOST_DEVICE static cudaError_t Unique(void* memory, size_t& bytes, In in, Out out,
                                                Count count, long long n,
                                                cudaStream_t stream = nullptr) {
    return choose(memory, bytes, in, out, count, n, stream,
                  [=](long long i) -> bool { return i == 0 || !(in[i] == in[i - 1]); });
  }
  // The first element of each run of equal keys.
  template <typename Keys, typename Values, typename OutKeys, typename OutValues, typename Count,
            typename Equal = std::equal_to<>,
            typename = std::enable_if_t<!std::is_convertible<Equal, cudaStream_t>::value>>
  CUDACPU_HOST_DEVICE static cudaError_t UniqueByKey(void* memory, size_t& bytes, Keys keys,
                                                     Values values, OutKeys out_keys,
                                                     OutValues out_values, Count count, long long n,
                                                     Equal equal = {},
                                                     cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=]() mutable {
      long long runs = 0;
      for (long long i = 0; i < n; ++i) {
        if (i > 0 && equal(keys[i - 1], keys[i])) continue;
        out_keys[runs] = keys[i];
        out_values[runs++] = values[i];
      }
      *count = runs;
    });
  }
  template <typename Keys, typename Values, typename OutKeys, typename OutValues, typename Count>
  CUDACPU_HOST_DEVICE static cudaError_t UniqueByKey(void* memory, size_t& bytes, Keys keys,
                                                     Values values, OutKeys out_keys,
                                                     OutValues out_values, Count count, long long n,
                                                     cudaStream_t stream) {
    return UniqueByKey(memory, bytes, keys, values, out_keys, out_values, count, n,
                       std::equal_to<>(), stream);
  }
};

struct DevicePartition : detail::Choice<detail::PartChosen> {
  using Choice::If;

  // Into three parts, in order; `counts` gets the sizes of the first two.
  template <typename In, typename First, typename Second, typename Rest, typename Counts,
            typename IsFirst, typename IsSecond>
  CUDACPU_HOST_DEVICE static cudaError_t If(void* memory, size_t& bytes, In in, First first,
                                            Second second, Rest rest, Counts counts, long long n,
                                            IsFirst is_first, IsSecond is_second,
                                            cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=]() mutable {
      long long sizes[3] = {};
      for (long long i = 0; i < n; ++i) {
        const auto value = in[i];
        if (is_first(value)) {
          first[sizes[0]++] = value;
        } else if (is_second(value)) {
          second[sizes[1]++] = value;
        } else {
          rest[sizes[2]++] = value;
        }
      }
      counts[0] = sizes[0];
      counts[1] = sizes[1];
    });
  }
};

struct DeviceRunLengthEncode {
  template <typename In, typename Unique, typename Lengths, typename Count>
  CUDACPU_HOST_DEVICE static cudaError_t Encode(void* memory, size_t& bytes, In in, Unique unique,
                                                Lengths lengths, Count count, long long n,
                                                cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=]() mutable {
      long long runs = 0;
      for (long long i = 0, end; i < n; i = end) {
        end = detail::end_of_run(in, i, n);
        unique[runs] = in[i];
        lengths[runs++] = end - i;
      }
      *count = runs;
    });
  }
  // The beginnings and lengths of the runs of two elements or more.
  template <typename In, typename Begins, typename Lengths, typename Count>
  CUDACPU_HOST_DEVICE static cudaError_t NonTrivialRuns(void* memory, size_t& bytes, In in,
                                                        Begins begins, Lengths lengths, Count count,
                                                        long long n,
                                                        cudaStream_t stream = nullptr) {
    return detail::run(memory, bytes, stream, [=]() mutable {
      long long runs = 0;
      for (long long i = 0, end; i < n; i = end) {
        end = detail::end_of_run(in, i, n);
        if (end - i < 2) continue;
        begins[runs] = i;
        lengths[runs++] = end - i;
      }
      *count = runs;
    });
  }
};

struct DeviceFor {
  template <typename In, typename Function>
  CUDACPU_HOST_DEVICE static cudaError_t ForEachN(In in, long long n, Function function,
                                                  cudaStream_t stream = nullptr) {
    thrust::detail::for_each_index(detail::in_stream(stream), n,
                                   [=](size_t i) mutable { function(in[i]); });
    return cudaPeekAtLastError();
  }
  template <typename In, typename Function>
  CUDACPU_HOST_DEVICE static cudaError_t ForEach(In first, In last, Function function,
                                                 cudaStream_t stream = nullptr) {
    return ForEachN(first, last - first, function, stream);
  }
  template <typename Function>
  CUDACPU_HOST_DEVICE static cudaError_t Bulk(long long n, Function function,
                                              cudaStream_t stream = nullptr) {
    thrust::detail::for_each_index(detail::in_stream(stream), n, function);
    return cudaPeekAtLastError();
  }
  // The function gets copies of the elements.
  template <typename In, typename Function>
  CUDACPU_HOST_DEVICE static cudaError_t ForEachCopyN(In in, long long n, Function function,
                                                      cudaStream_t stream = nullptr) {
    thrust::detail::for_each_index(detail::in_stream(stream), n, [=](size_t i) mutable {
      const detail::ValueOf<In> value = in[i];
      function(value);
    });
    return cudaPeekAtLastError();
  }
  template <typename In, typename Function>
  CUDACPU_HOST_DEVICE static cudaError_t ForEachCopy(In first, In last, Function function,
                                                     cudaStream_t stream = nullptr) {
    return ForEachCopyN(first, last - first, function, stream);
  }
};

// Allocates by cudaMallocAsync, which keeps freed memory for the next call.
struct CachingDeviceAllocator {
  explicit CachingDeviceAllocator(bool = false, bool = false) {}
  CachingDeviceAllocator(unsigned, unsigned, unsigned, size_t, bool = false, bool = false) {}
  cudaError_t DeviceAllocate(void** place, size_t bytes, cudaStream_t stream = nullptr) {
    return cudaMallocAsync(place, bytes, stream);
  }
  cudaError_t DeviceFree(void* place) { return cudaFreeAsync(place, nullptr); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub
