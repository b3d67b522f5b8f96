// Where a Thrust algorithm runs: on the host as plain C++, on the device as a kernel. An algorithm
// that works element by element has a thread for each element, all others have a single thread.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "../../thrust/version.h"
#include "cuda/version"
#include "cuda_runtime.h"

namespace thrust {

struct host_policy {
  constexpr host_policy operator()() const { return {}; }
};
struct sequential_policy {};
struct device_policy {
  cudaStream_t stream = nullptr;
  bool waits = true;  // algorithms return only after their end
  CUDACPU_HOST_DEVICE device_policy on(cudaStream_t s) const { return {s, waits}; }
  // With an allocator for scratch memory, which no algorithm needs.
  template <typename Allocator>
  CUDACPU_HOST_DEVICE device_policy operator()(const Allocator&) const {
    return *this;
  }
};
constexpr host_policy host{};
constexpr device_policy device{};
constexpr sequential_policy seq{};
namespace cuda {
constexpr device_policy par{}, par_nosync{nullptr, false};
}  // namespace cuda
namespace system {
namespace cuda {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
}  // namespace cuda
}  // namespace system

template <typename T>
class device_ptr;

namespace detail {

template <typename T>
struct is_policy : std::false_type {};
template <>
struct is_policy<host_policy> : std::true_type {};
template <>
struct is_policy<sequential_policy> : std::true_type {};
template <>
struct is_policy<device_policy> : std::true_type {};

// An iterator over device memory; composed iterators say so themselves.
template <typename T, typename = void>
struct is_on_device : std::false_type {};
template <typename T>
struct is_on_device<device_ptr<T>> : std::true_type {};
template <typename T>
struct is_on_device<T, std::enable_if_t<T::is_on_device>> : std::true_type {};

// An iterator without memory of its own, which is used where the iterator's function can run.
template <typename T, typename = void>
struct is_anywhere : std::false_type {};
template <typename T>
struct is_anywhere<T, std::enable_if_t<T::is_anywhere>> : std::true_type {};

// The same iterator for code that may use the memory: a plain pointer in place of a device_ptr.
template <typename T, typename = void>
struct Unwrapped {
  static CUDACPU_HOST_DEVICE T of(T iterator) { return iterator; }
};
template <typename T>
struct Unwrapped<device_ptr<T>> {
  static CUDACPU_HOST_DEVICE T* of(device_ptr<T> pointer) { return pointer.get(); }
};
template <typename T>
struct Unwrapped<T, std::void_t<decltype(std::declval<T>().unwrapped())>> {
  static CUDACPU_HOST_DEVICE auto of(T iterator) { return iterator.unwrapped(); }
};
template <typename T>
CUDACPU_HOST_DEVICE auto unwrap(T iterator) {
  return Unwrapped<T>::of(iterator);
}

template <typename... Iterators>
CUDACPU_HOST_DEVICE auto place_of() {
  if constexpr ((is_on_device<Iterators>::value || ...)) {
    return device_policy();
  } else {
    return sequential_policy();
  }
}

#if CUDACPU_CHECKING
template <typename Function>
void run_kernel(size_t, Function, const device_policy&) {}
#else
// The translator's output for a kernel that calls function(i) for each i < n.
template <typename Function>
void thrust_kernel(Function function, size_t n) {
  struct Tag {
    static constexpr const char* name() { return "thrust"; }
    static constexpr const char* file() { return "thrust"; }
    static constexpr int line() { return 0; }
    static constexpr int max_threads() { return 1024; }
    static constexpr int min_blocks() { return 0; }
    static constexpr ::uint3 cluster() { return {0, 0, 0}; }
    static constexpr bool simple() { return false; }
    static constexpr bool in_lockstep() { return false; }
    static constexpr bool may_wait_for_host() { return false; }
  };
  ::cudacpu::launch<Tag>([=](const ::cudacpu::Indices& indices) mutable {
    const size_t i = size_t{indices.block.x} * indices.block_dim.x + indices.thread.x;
    if (i < n) function(i);
  });
}
template <typename Function>
void run_kernel(size_t n, Function function, const device_policy& policy) {
  if (n == 0) return;
  constexpr unsigned kBlockSize = 256;
  const unsigned block = n < kBlockSize ? static_cast<unsigned>(n) : kBlockSize;
  ::cudacpu::push_launch(static_cast<unsigned>((n + block - 1) / block), block, 0, policy.stream);
  thrust_kernel(function, n);
  if (policy.waits) cudaStreamSynchronize(policy.stream);
}
#endif

// Calls function(i) for each i < n, in any order.
template <typename Policy, typename Function>
CUDACPU_HOST_DEVICE void for_each_index(const Policy& policy, size_t n, Function function) {
  if constexpr (std::is_same<Policy, device_policy>::value) {
    if (!::cudacpu::in_kernel()) return run_kernel(n, function, policy);
  }
  for (size_t i = 0; i < n; ++i)
    function(i);
  (void)policy;
}

// Calls function() once and returns the result, which comes back through managed memory.
template <typename Policy, typename Function>
CUDACPU_HOST_DEVICE auto run_once(const Policy& policy, Function function) {
  using Result = decltype(function());
  if constexpr (std::is_same<Policy, device_policy>::value) {
    if (!::cudacpu::in_kernel()) {
      if constexpr (std::is_void<Result>::value) {
        return run_kernel(
            1, [=](size_t) mutable { function(); }, policy);
      } else {
        Result* result;
        cudaMallocManaged(reinterpret_cast<void**>(&result), sizeof(Result), cudaMemAttachGlobal);
        run_kernel(
            1, [=](size_t) mutable { new (result) Result(function()); }, policy);
        cudaStreamSynchronize(policy.stream);
        const Result value = *result;
        cudaFree(result);
        return value;
      }
    }
  }
  (void)policy;
  return function();
}

template <typename Iterator>
using value_of =
    typename std::iterator_traits<decltype(unwrap(std::declval<Iterator>()))>::value_type;

}  // namespace detail
}  // namespace thrust
