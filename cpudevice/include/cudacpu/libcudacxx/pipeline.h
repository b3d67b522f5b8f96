// cuda::pipeline: copies in stages, committed in order and waited for in order. In a pipeline of
// one thread the copies to shared memory end when the thread waits for their stage. In a pipeline
// of a block each copy has been made when memcpy_async returns; consumers wait for all producers,
// and the other way round.
#pragma once

#include "cudacpu/libcudacxx/barrier.h"

#ifdef __CUDACC__

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope scope, uint8_t stages>
struct pipeline_shared_state {
  barrier<scope> full[stages], empty[stages];  // committed by producers; released by consumers
  int producers, consumers;
};

template <thread_scope scope>
class pipeline {
 public:
  pipeline() = default;
  CUDACPU_DEVICE CUDACPU_INLINED pipeline(barrier<scope>* full, barrier<scope>* empty,
                                          unsigned stages)
      : full_(full), empty_(empty), stages_(stages) {}

  // The stage that was filled `stages` commits ago must be free again.
  CUDACPU_DEVICE CUDACPU_INLINED void producer_acquire() {
    if (full_ && head_ >= stages_) empty_[head_ % stages_].wait(head_ / stages_ - 1);
  }
  CUDACPU_DEVICE CUDACPU_INLINED void producer_commit() {
    if (full_) {
      (void)full_[head_ % stages_].arrive();
    } else {
      ::cudacpu::commit_copies();
    }
    ++head_;
  }
  CUDACPU_DEVICE CUDACPU_INLINED void consumer_wait() {
    if (full_) {
      full_[tail_ % stages_].wait(tail_ / stages_);
    } else {
      ::cudacpu::wait_for_copies(head_ > tail_ ? head_ - tail_ - 1 : 0);
    }
  }
  CUDACPU_DEVICE CUDACPU_INLINED void consumer_release() {
    if (full_) (void)empty_[tail_ % stages_].arrive();
    ++tail_;
  }
  CUDACPU_DEVICE CUDACPU_INLINED bool quit() { return true; }

  // Waits for all but the last `prior` commits of the thread.
  template <unsigned prior>
  CUDACPU_DEVICE CUDACPU_INLINED void wait_prior() {
    if (!full_) return ::cudacpu::wait_for_copies(prior);
    for (unsigned i = tail_; i + prior < head_; ++i)
      full_[i % stages_].wait(i / stages_);
  }

 private:
  barrier<scope>* full_ = nullptr;
  barrier<scope>* empty_ = nullptr;
  unsigned stages_ = 1, head_ = 0, tail_ = 0;
};

template <>
struct copies_wait_for_thread<pipeline<thread_scope_thread>> {
  static constexpr bool value = true;
};

CUDACPU_DEVICE CUDACPU_INLINED pipeline<thread_scope_thread> make_pipeline() {
  return {};
}

// Called by all threads of a group, with their roles; without a role, a thread both produces and
// consumes.
template <typename Group, thread_scope scope, uint8_t stages>
CUDACPU_DEVICE CUDACPU_INLINED pipeline<scope> make_pipeline(
    const Group& group, pipeline_shared_state<scope, stages>* state, bool produces, bool consumes) {
  const bool first = group.thread_rank() == 0;
  if (first) state->producers = state->consumers = 0;
  group.sync();
  if (produces) atomic_ref<int>(state->producers).fetch_add(1);
  if (consumes) atomic_ref<int>(state->consumers).fetch_add(1);
  group.sync();
  if (first) {
    for (unsigned s = 0; s < stages; ++s) {
      init(&state->full[s], state->producers);
      init(&state->empty[s], state->consumers);
    }
  }
  group.sync();
  return {state->full, state->empty, stages};
}
template <typename Group, thread_scope scope, uint8_t stages>
CUDACPU_DEVICE CUDACPU_INLINED pipeline<scope> make_pipeline(
    const Group& group, pipeline_shared_state<scope, stages>* state) {
  return make_pipeline(group, state, true, true);
}
template <typename Group, thread_scope scope, uint8_t stages>
CUDACPU_DEVICE CUDACPU_INLINED pipeline<scope> make_pipeline(
    const Group& group, pipeline_shared_state<scope, stages>* state, pipeline_role role) {
  return make_pipeline(group, state, role == pipeline_role::producer,
                       role == pipeline_role::consumer);
}
template <typename Group, thread_scope scope, uint8_t stages>
CUDACPU_DEVICE CUDACPU_INLINED pipeline<scope> make_pipeline(
    const Group& group, pipeline_shared_state<scope, stages>* state, size_t producer_count) {
  const bool produces = static_cast<size_t>(group.thread_rank()) < producer_count;
  return make_pipeline(group, state, produces, !produces);
}

template <unsigned prior, thread_scope scope>
CUDACPU_DEVICE CUDACPU_INLINED void pipeline_consumer_wait_prior(pipeline<scope>& p) {
  p.template wait_prior<prior>();
}

}  // namespace cuda

#endif
