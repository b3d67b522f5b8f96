// cuda::std is the standard library here, and a thread scope says how far an operation reaches,
// which on this device is always the whole process.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"

namespace cuda {

// Inside namespace cuda, std is this one.
namespace std {
using namespace ::std;
struct identity {
  template <typename T>
  CUDACPU_HOST_DEVICE constexpr T&& operator()(T&& value) const {
    return static_cast<T&&>(value);
  }
};
}  // namespace std

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread = 10
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

}  // namespace cuda
