// cuda::barrier and cuda::memcpy_async: arrival and waiting apart, and copies for which a barrier
// or a pipeline waits. The copy has been made when memcpy_async returns, except with a pipeline of
// one thread; bulk copies (device::memcpy_async_tx) end later: see cudacpu/device/mbarrier.h.
#pragma once

#include "cuda/std/chrono"
#include "cudacpu/libcudacxx/atomic.h"

#ifdef __CUDACC__
#include "cudacpu/device/async_copy.h"
#include "cudacpu/device/mbarrier.h"

namespace cuda {

template <thread_scope scope, typename Completion = void>
class barrier {
 public:
  using arrival_token = unsigned;

  barrier() = default;
  CUDACPU_HOST_DEVICE CUDACPU_INLINED explicit barrier(ptrdiff_t expected) { init(this, expected); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  friend CUDACPU_HOST_DEVICE CUDACPU_INLINED void init(barrier* b, ptrdiff_t expected) {
    b->expected_ = b->pending_ = static_cast<int>(expected);
    b->phase_ = 0;
  }

  // The thread that completes the phase starts the next phase.
  CUDACPU_DEVICE CUDACPU_INLINED arrival_token arrive(ptrdiff_t count = 1) {
    atomic_thread_fence(memory_order_release, scope);
    const unsigned phase = phase_ref().load(memory_order_relaxed);
    const int n = static_cast<int>(count);
    if (pending_ref().fetch_sub(n, memory_order_relaxed) == n) {
      pending_ref().store(expected_ref().load(memory_order_relaxed), memory_order_relaxed);
      phase_ref().store(phase + 1, memory_order_relaxed);
    }
    return phase;
  }
  CUDACPU_DEVICE CUDACPU_INLINED void wait(arrival_token phase) const {
    phase_ref().wait(phase, memory_order_acquire);
  }
  CUDACPU_DEVICE CUDACPU_INLINED void arrive_and_wait() { wait(arrive()); }
  CUDACPU_DEVICE CUDACPU_INLINED void arrive_and_drop() {
    expected_ref().fetch_sub(1, memory_order_relaxed);
    arrive();
  }

 private:
  CUDACPU_DEVICE CUDACPU_INLINED atomic_ref<int> expected_ref() const {
    return atomic_ref<int>(const_cast<int&>(expected_));
  }
  CUDACPU_DEVICE CUDACPU_INLINED atomic_ref<int> pending_ref() const {
    return atomic_ref<int>(const_cast<int&>(pending_));
  }
  CUDACPU_DEVICE CUDACPU_INLINED atomic_ref<unsigned> phase_ref() const {
    return atomic_ref<unsigned>(const_cast<unsigned&>(phase_));
  }

  int expected_, pending_;  // arrivals of a phase; missing arrivals
  unsigned phase_;
};

// A block's barrier is an mbarrier, which bulk copies can complete.
template <typename Completion>
class barrier<thread_scope_block, Completion> {
 public:
  using arrival_token = unsigned long long;

  barrier() = default;
  CUDACPU_HOST_DEVICE CUDACPU_INLINED explicit barrier(ptrdiff_t expected) { init(this, expected); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  static CUDACPU_HOST_DEVICE CUDACPU_INLINED constexpr ptrdiff_t max() noexcept {
    return (1 << ::cudacpu::MbarrierState::kCountBits) - 1;
  }

  friend CUDACPU_HOST_DEVICE CUDACPU_INLINED void init(barrier* b, ptrdiff_t expected) {
    const auto count = static_cast<unsigned>(expected);
    b->word_ = ::cudacpu::MbarrierState{0, count, count, 0}.word();
  }

  CUDACPU_DEVICE CUDACPU_INLINED arrival_token arrive(ptrdiff_t count = 1) {
    return ::cudacpu::mbarrier::arrive(&word_, static_cast<unsigned>(count), 0, 0);
  }
  CUDACPU_DEVICE CUDACPU_INLINED void wait(arrival_token token) const { wait_parity(token & 1); }
  CUDACPU_DEVICE CUDACPU_INLINED void wait_parity(bool parity) const {
    while (!::cudacpu::mbarrier::has_ended(native_handle(), parity, true)) {
    }
  }
  // Wait until the phase ends, for a limited time; return whether the phase has ended.
  template <typename Number, typename Period>
  [[nodiscard]] CUDACPU_DEVICE CUDACPU_INLINED bool try_wait_parity_for(
      bool parity, const std::chrono::duration<Number, Period>& time) {
    using Clock = std::chrono::high_resolution_clock;
    const auto begin = Clock::now();
    while (!::cudacpu::mbarrier::has_ended(native_handle(), parity, true))
      if (Clock::now() - begin >= time) return false;
    return true;
  }
  template <typename Clock, typename Duration>
  [[nodiscard]] CUDACPU_DEVICE CUDACPU_INLINED bool try_wait_parity_until(
      bool parity, const std::chrono::time_point<Clock, Duration>& end) {
    return try_wait_parity_for(parity, end - Clock::now());
  }
  template <typename Number, typename Period>
  [[nodiscard]] CUDACPU_DEVICE CUDACPU_INLINED bool try_wait_for(
      arrival_token&& token, const std::chrono::duration<Number, Period>& time) {
    return try_wait_parity_for(token & 1, time);
  }
  template <typename Clock, typename Duration>
  [[nodiscard]] CUDACPU_DEVICE CUDACPU_INLINED bool try_wait_until(
      arrival_token&& token, const std::chrono::time_point<Clock, Duration>& end) {
    return try_wait_parity_until(token & 1, end);
  }
  CUDACPU_DEVICE CUDACPU_INLINED void arrive_and_wait() { wait(arrive()); }
  CUDACPU_DEVICE CUDACPU_INLINED void arrive_and_drop() {
    ::cudacpu::mbarrier::arrive(&word_, 1, 1, 0);
  }

  CUDACPU_DEVICE CUDACPU_INLINED unsigned long long* native_handle() const {
    return const_cast<unsigned long long*>(&word_);
  }

 private:
  unsigned long long word_;
};

// A number of bytes that is a multiple of `alignment`, like the addresses of the copy.
template <size_t alignment>
struct aligned_size_t {
  size_t value;
  CUDACPU_HOST_DEVICE CUDACPU_INLINED constexpr explicit aligned_size_t(size_t bytes)
      : value(bytes) {}
  CUDACPU_HOST_DEVICE CUDACPU_INLINED constexpr operator size_t() const { return value; }
};

// Whether the copies of a `Sync` end when their thread waits for them. Other copies are made at
// once, because a thread may wait for another thread's copies.
template <typename Sync>
struct copies_wait_for_thread {
  static constexpr bool value = false;
};

// `Sync` is a barrier or a pipeline. A single thread copies all, or each thread of a group its
// pieces.
template <typename Destination, typename Source, typename Bytes, typename Sync>
CUDACPU_DEVICE CUDACPU_INLINED void memcpy_async(Destination* destination, const Source* source,
                                                 Bytes bytes, Sync&) {
  ::cudacpu::copy_pieces<copies_wait_for_thread<Sync>::value>(destination, source, bytes, 0, 1);
}
template <typename Group, typename Destination, typename Source, typename Bytes, typename Sync>
CUDACPU_DEVICE CUDACPU_INLINED void memcpy_async(const Group& group, Destination* destination,
                                                 const Source* source, Bytes bytes, Sync&) {
  ::cudacpu::copy_pieces<copies_wait_for_thread<Sync>::value>(
      destination, source, bytes, static_cast<size_t>(group.thread_rank()),
      static_cast<size_t>(group.size()));
}

// What a block's barrier has for bulk copies.
namespace device {

using block_barrier = barrier<thread_scope_block>;

CUDACPU_DEVICE CUDACPU_INLINED uint64_t* barrier_native_handle(block_barrier& b) {
  return reinterpret_cast<uint64_t*>(b.native_handle());
}
CUDACPU_DEVICE CUDACPU_INLINED block_barrier::arrival_token barrier_arrive_tx(block_barrier& b,
                                                                              ptrdiff_t count,
                                                                              ptrdiff_t bytes) {
  return ::cudacpu::mbarrier::arrive(b.native_handle(), static_cast<unsigned>(count), 0,
                                     static_cast<int>(bytes));
}
CUDACPU_DEVICE CUDACPU_INLINED void barrier_expect_tx(block_barrier& b, ptrdiff_t bytes) {
  ::cudacpu::mbarrier::expect_bytes(b.native_handle(), static_cast<int>(bytes));
}
template <typename T, size_t alignment>
CUDACPU_DEVICE CUDACPU_INLINED void memcpy_async_tx(T* destination, const T* source,
                                                    aligned_size_t<alignment> bytes,
                                                    block_barrier& b) {
  static_assert(alignment >= 16, "a bulk copy is of multiples of 16 bytes");
  ::cudacpu::mbarrier::load(destination, source, static_cast<unsigned>(bytes.value),
                            b.native_handle());
}

namespace experimental {

CUDACPU_DEVICE CUDACPU_INLINED void cp_async_bulk_global_to_shared(void* to, const void* from,
                                                                   unsigned bytes,
                                                                   block_barrier& b) {
  ::cudacpu::mbarrier::load(to, from, bytes, b.native_handle());
}
CUDACPU_DEVICE CUDACPU_INLINED void cp_async_bulk_shared_to_global(void* to, const void* from,
                                                                   unsigned bytes) {
  ::cudacpu::start_bulk_store(to, from, bytes);
}
CUDACPU_DEVICE CUDACPU_INLINED void cp_async_bulk_commit_group() {
  ::cudacpu::commit_bulk_stores();
}
template <int left>
CUDACPU_DEVICE CUDACPU_INLINED void cp_async_bulk_wait_group_read() {
  ::cudacpu::wait_for_bulk_stores(left, true);
}
CUDACPU_DEVICE CUDACPU_INLINED void fence_proxy_async_shared_cta() {
  __threadfence_block();
}

}  // namespace experimental
}  // namespace device

}  // namespace cuda

#endif
