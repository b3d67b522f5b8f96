// The numbered barriers of a block, with which PTX lets some of its threads wait for each other.
#include <algorithm>

#include "cudacpu/runtime.h"
#include "driver_types.h"
#include "scheduler/threads/stop.h"
#include "scheduler/threads/switch.h"

namespace cudacpu {
namespace {

constexpr unsigned kNumbers = 16;

// The threads that the barrier expects; the number in the program counts whole warps.
unsigned expected_threads(const Block& block, unsigned count) {
  if (count % kWarpSize != 0)
    kernel_trap(cudaErrorLaunchFailure,
                "waits at a barrier for a number of threads that is not a multiple of 32");
  const unsigned warps = (block.threads + kWarpSize - 1) / kWarpSize;
  if (count > warps * kWarpSize)
    kernel_trap(cudaErrorLaunchFailure, "waits at a barrier for more threads than the block has");
  return count == 0 ? block.threads : std::min(count, block.threads);
}

}  // namespace

void named_barrier(unsigned number, unsigned count, bool waits, const char* what) {
  Worker* worker = context.worker;
  if (!worker) return;
  if (number >= kNumbers)
    kernel_trap(cudaErrorLaunchFailure, "uses a barrier whose number is not one of 0 to 15");
  set_busy(1);
  Thread& me = current_thread(*worker);
  Block& block = *worker->block;
  const unsigned expected = expected_threads(block, count);
  if (block.named.empty()) block.named.resize(kNumbers);
  NamedBarrier& barrier = block.named[number];
  if (barrier.arrived != 0 && barrier.expected != expected)
    kernel_trap(cudaErrorLaunchFailure,
                "comes to a barrier for another number of threads than those before it");
  me.what = what;
  me.site = __builtin_return_address(0);
  observe::named_arrive(&barrier);
  barrier.expected = expected;
  if (++barrier.arrived == expected) {
    for (int id = barrier.waiting.next(0); id >= 0; id = barrier.waiting.next(id + 1))
      block.ready.add(id);
    barrier = {};
    worker->progress = worker->progress + 1;
  } else if (waits) {
    barrier.waiting.add(me.id);
    me.wait = Wait::kNamed;
    go(leave(*worker, me));
  }
  if (waits) observe::named_pass(&barrier);
  set_busy(0);
}

}  // namespace cudacpu
