// Barriers of a block at which threads arrive and wait apart: nvcuda::experimental::awbarrier, and
// C functions for the same. Newer programs use cuda::barrier.
#pragma once

#include <cstdint>

#include "cuda_runtime.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;  // of the phase in which a thread has arrived

// The largest number of threads that a barrier can expect.
CUDACPU_HOST_DEVICE inline constexpr uint32_t __mbarrier_maximum_count() {
  return (1 << 14) - 1;
}

#ifdef __CUDACC__
#include "cudacpu/device/mbarrier.h"

CUDACPU_DEVICE CUDACPU_INLINED void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected) {
  cudacpu::mbarrier::init(barrier, expected);
}
CUDACPU_DEVICE CUDACPU_INLINED void __mbarrier_inval(__mbarrier_t* barrier) {
  cudacpu::mbarrier::inval(barrier);
}
CUDACPU_DEVICE CUDACPU_INLINED __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return cudacpu::mbarrier::arrive(barrier, 1, 0, 0);
}
// From the next phase on, the barrier expects one thread less.
CUDACPU_DEVICE CUDACPU_INLINED __mbarrier_token_t
__mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return cudacpu::mbarrier::arrive(barrier, 1, 1, 0);
}
// The number of arrivals that the phase still expected before the token's arrival.
CUDACPU_DEVICE CUDACPU_INLINED uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return cudacpu::mbarrier::missing_arrivals(token);
}

namespace cudacpu::mbarrier {

// Asks for a phase by its parity, or with a time: a GPU offers both from compute capability 9.0 on,
// and NVIDIA's functions stop the kernel on older GPUs.
CUDACPU_DEVICE CUDACPU_INLINED bool has_ended_by_parity(void* place, bool parity, bool patient) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  kernel_trap(719, "asks an awbarrier for a parity or with a time, below compute capability 9.0");
#endif
  return has_ended(place, parity, patient);
}

}  // namespace cudacpu::mbarrier

// Whether the phase of the token, or of the parity, has ended; `try` may wait for a while.
CUDACPU_DEVICE CUDACPU_INLINED bool __mbarrier_test_wait(__mbarrier_t* barrier,
                                                         __mbarrier_token_t token) {
  return cudacpu::mbarrier::has_ended(barrier, token & 1, false);
}
CUDACPU_DEVICE CUDACPU_INLINED bool __mbarrier_test_wait_parity(__mbarrier_t* barrier,
                                                                bool parity) {
  return cudacpu::mbarrier::has_ended_by_parity(barrier, parity, false);
}
CUDACPU_DEVICE CUDACPU_INLINED bool __mbarrier_try_wait(__mbarrier_t* barrier,
                                                        __mbarrier_token_t token,
                                                        uint32_t /*nanoseconds*/) {
  return cudacpu::mbarrier::has_ended_by_parity(barrier, token & 1, true);
}
CUDACPU_DEVICE CUDACPU_INLINED bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity,
                                                               uint32_t /*nanoseconds*/) {
  return cudacpu::mbarrier::has_ended_by_parity(barrier, parity, true);
}

namespace nvcuda::experimental {

// An object in shared memory, without a constructor: init() makes the barrier usable.
class awbarrier {
 public:
  // The phase of an arrival: the result of arrive() and the argument of wait().
  class arrival_token {
   public:
    arrival_token() = default;
    // The number of arrivals that the phase still expected before the token's arrival.
    CUDACPU_DEVICE CUDACPU_INLINED uint32_t pending_count() const {
      return __mbarrier_token_pending_count(word_);
    }

   private:
    friend class awbarrier;
    CUDACPU_DEVICE CUDACPU_INLINED explicit arrival_token(uint64_t word) : word_(word) {}
    uint64_t word_;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  CUDACPU_DEVICE CUDACPU_INLINED arrival_token arrive() {
    return arrival_token(__mbarrier_arrive(&word_));
  }
  // From the next phase on, the barrier expects one thread less.
  CUDACPU_DEVICE CUDACPU_INLINED arrival_token arrive_and_drop() {
    return arrival_token(__mbarrier_arrive_and_drop(&word_));
  }
  CUDACPU_DEVICE CUDACPU_INLINED void wait(arrival_token token) {
    while (!timed_wait(token, ~0u)) {
    }
  }
  CUDACPU_DEVICE CUDACPU_INLINED void arrive_and_wait() { wait(arrive()); }
  // Waits for the end of the phase, for about `clocks` clocks at most; returns whether the phase
  // has ended.
  CUDACPU_DEVICE CUDACPU_INLINED bool timed_wait(arrival_token token, uint32_t clocks) {
    return until(clocks, [&] { return __mbarrier_test_wait(&word_, token.word_); });
  }
  CUDACPU_DEVICE CUDACPU_INLINED bool timed_wait_parity(bool parity, uint32_t clocks) {
    return until(clocks, [&] { return __mbarrier_test_wait_parity(&word_, parity); });
  }
  CUDACPU_DEVICE CUDACPU_INLINED bool try_wait(arrival_token token, uint32_t nanoseconds) {
    return __mbarrier_try_wait(&word_, token.word_, nanoseconds);
  }
  CUDACPU_DEVICE CUDACPU_INLINED bool try_wait_parity(bool parity, uint32_t nanoseconds) {
    return __mbarrier_try_wait_parity(&word_, parity, nanoseconds);
  }
  // The largest number of threads that a barrier can expect.
  CUDACPU_HOST_DEVICE static constexpr uint32_t max() { return __mbarrier_maximum_count(); }

 private:
  friend CUDACPU_DEVICE CUDACPU_INLINED void init(awbarrier* barrier, uint32_t expected) {
    __mbarrier_init(&barrier->word_, expected);
  }
  friend CUDACPU_DEVICE CUDACPU_INLINED void inval(awbarrier* barrier) {
    __mbarrier_inval(&barrier->word_);
  }

  template <typename HasEnded>
  CUDACPU_DEVICE CUDACPU_INLINED static bool until(uint32_t clocks, HasEnded has_ended) {
    const long long begin = clock64();
    while (!has_ended())
      if (clock64() - begin >= clocks) return false;
    return true;
  }

  uint64_t word_;
};

}  // namespace nvcuda::experimental
#endif
