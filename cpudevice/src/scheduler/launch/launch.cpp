#include "scheduler/launch/launch.h"

namespace cudacpu {

CodePlace place_of_thread() {
  CodePlace place;
  place.block = blockIdx;
  place.thread = threadIdx;
  place.thread_known = threadIdx.x != kBetweenThreads;
  return place;
}

Failure* claim_failure(Launch& launch, Failure::Kind kind, int error) {
  int not_failed = 0;
  if (!launch.failed.compare_exchange_strong(not_failed, 1)) return nullptr;
  Failure& failure = launch.failure;
  static_cast<CodePlace&>(failure) = place_of_thread();
  failure.kind = kind;
  failure.error = error;
  return &failure;
}

}  // namespace cudacpu
