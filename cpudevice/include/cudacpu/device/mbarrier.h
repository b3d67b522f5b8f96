// mbarrier of PTX: a block waits for arrivals of threads and for bytes of bulk copies.
//
// The 8 bytes of an mbarrier hold, from the lowest bit on: the phase's parity, 20 bits of the
// arrivals that a phase expects, 20 of the arrivals still missing, 21 of the bytes still missing,
// which may be negative for a while, and a mark of the initialisation. The layout is our own: PTX
// states none.
//
// Bulk copies to shared memory are carried out when a thread next asks for the phase of their
// mbarrier, so a program that does not ask gets the wrong answer on the CPU device every time.
// Copies to global memory are carried out when their thread waits for them, or when the block ends.
#pragma once

#include "async_copy.h"
#include "atomics.h"
#include "synchronization.h"

namespace cudacpu {

// Defined in src/scheduler/threads/copy_queue.cpp.
CUDACPU_DEVICE void start_bulk_load(void* to, const void* from, unsigned bytes, void* mbarrier);
CUDACPU_DEVICE void start_bulk_store(void* to, const void* from, unsigned bytes);
CUDACPU_DEVICE void commit_bulk_stores();
// Waits until at most `left` groups of the thread's copies are pending; `read`: until only the
// source may be written again.
CUDACPU_DEVICE void wait_for_bulk_stores(unsigned left, bool read);
// Carries out the copies for which the mbarrier waits.
CUDACPU_DEVICE void finish_bulk_loads(void* mbarrier);
// Lets others run until the phase's parity is not `parity`, but at most `patience` times.
CUDACPU_DEVICE void wait_for_phase(void* mbarrier, unsigned parity, int patience);

struct MbarrierState {
  static constexpr int kCountBits = 20, kByteBits = 21;
  unsigned phase, expected, missing;
  int bytes;

  CUDACPU_HOST_DEVICE static MbarrierState of(unsigned long long word) {
    constexpr unsigned kCounts = (1u << kCountBits) - 1;
    // The sign of the bytes is bit 61.
    const auto bytes =
        static_cast<long long>(word << (64 - 1 - 2 * kCountBits - kByteBits)) >> (64 - kByteBits);
    return {static_cast<unsigned>(word & 1), static_cast<unsigned>(word >> 1) & kCounts,
            static_cast<unsigned>(word >> (1 + kCountBits)) & kCounts, static_cast<int>(bytes)};
  }
  CUDACPU_HOST_DEVICE unsigned long long word() const {
    constexpr unsigned kBytes = (1u << kByteBits) - 1;
    return 1ull << 63 | phase | static_cast<unsigned long long>(expected) << 1 |
           static_cast<unsigned long long>(missing) << (1 + kCountBits) |
           static_cast<unsigned long long>(static_cast<unsigned>(bytes) & kBytes)
               << (1 + 2 * kCountBits);
  }
  // The phase ends when nothing is missing; the next phase begins at once.
  CUDACPU_HOST_DEVICE void end_phase() {
    if (missing != 0 || bytes != 0) return;
    phase ^= 1;
    missing = expected;
  }
};

// The mbarrier's word after `arrivals`, of which `dropped` leave the mbarrier for good, and with
// `bytes` more missing bytes.
CUDACPU_DEVICE CUDACPU_UNSEEN inline unsigned long long changed(unsigned long long word,
                                                                unsigned arrivals, unsigned dropped,
                                                                int bytes) {
  if (!(word >> 63)) kernel_trap(719, "uses an mbarrier that was not initialised");
  MbarrierState state = MbarrierState::of(word);
  if (arrivals > state.missing)
    kernel_trap(719, "arrives at an mbarrier more often than its phase expects");
  state.missing -= arrivals;
  state.expected -= dropped;
  state.bytes += bytes;
  state.end_phase();
  return state.word();
}

namespace mbarrier {

using Word = unsigned long long;

CUDACPU_DEVICE CUDACPU_UNSEEN inline Word* word_at(void* place) {
  if (reinterpret_cast<size_t>(place) % sizeof(Word) != 0)
    kernel_trap(716, "uses an mbarrier at an address that is not a multiple of 8");
  return static_cast<Word*>(place);
}

CUDACPU_DEVICE CUDACPU_INLINED void init(void* place, unsigned count) {
  if (count == 0 || count >= 1u << MbarrierState::kCountBits)
    kernel_trap(719, "initialises an mbarrier for 0 or more than 1,048,575 arrivals");
  *word_at(place) = MbarrierState{0, count, count, 0}.word();
}
CUDACPU_DEVICE CUDACPU_INLINED void inval(void* place) {
  *word_at(place) = 0;
}
// Returns the word before the arrival, as a token of the phase.
CUDACPU_DEVICE CUDACPU_INLINED Word arrive(void* place, unsigned arrivals, unsigned dropped,
                                           int bytes) {
  __threadfence_block();
  return atomic_update(word_at(place),
                       [=](Word old) { return changed(old, arrivals, dropped, bytes); });
}
CUDACPU_DEVICE CUDACPU_INLINED void expect_bytes(void* place, int bytes) {
  note_atomic();
  atomic_update(word_at(place), [=](Word old) { return changed(old, 0, 0, bytes); });
}
// Whether the phase with the parity has ended. `patient`: waits for the end, but not forever. A
// thread that is not patient may ask in a loop, and lets others run too.
CUDACPU_DEVICE CUDACPU_INLINED bool has_ended(void* place, unsigned parity, bool patient) {
  note_atomic();
  finish_bulk_loads(place);
  wait_for_phase(place, parity & 1, patient ? 1000 : 1);
  const Word word = __atomic_load_n(word_at(place), __ATOMIC_RELAXED);
  if (!(word >> 63)) kernel_trap(719, "uses an mbarrier that was not initialised");
  return (word & 1) != (parity & 1);
}
CUDACPU_DEVICE CUDACPU_INLINED unsigned missing_arrivals(Word token) {
  return MbarrierState::of(token).missing;
}
// The arrival after the thread's copies, which have ended when the function returns.
CUDACPU_DEVICE CUDACPU_INLINED void arrive_after_copies(void* place, bool counted) {
  wait_for_all_copies();
  if (counted) arrive(place, 1, 0, 0);
}

// A bulk copy to shared memory. Threads that wait for the copy know the thread's earlier accesses.
CUDACPU_DEVICE CUDACPU_INLINED void load(void* to, const void* from, unsigned bytes, void* place) {
  start_bulk_load(to, from, bytes, word_at(place));
#ifdef __CUDACPU_SANITIZE__
  arrive(place, 0, 0, 0);
#endif
}

}  // namespace mbarrier
}  // namespace cudacpu
