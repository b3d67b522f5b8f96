// A thread scope says how far an operation reaches: on the CPU device always the whole process.
#pragma once

#include <atomic>

#include "cudacpu/libcudacxx/standard.h"

namespace cuda {

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
