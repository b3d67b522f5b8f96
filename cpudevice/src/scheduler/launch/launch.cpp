#include "scheduler/launch/launch.h"

namespace cudacpu {

Failure* claim_failure(Launch& launch, Failure::Kind kind, int error) {
  int not_failed = 0;
  if (!launch.failed.compare_exchange_strong(not_failed, 1)) return nullptr;
  Failure& failure = launch.failure;
  failure.kind = kind;
  failure.error = error;
  failure.block = blockIdx;
  failure.thread = threadIdx;
  failure.thread_known = threadIdx.x != kBetweenThreads;
  return &failure;
}

}  // namespace cudacpu
