#include "scheduler/workers/work.h"

#include "diagnostics/observer.h"
#include "scheduler/threads/switch.h"

namespace cudacpu {

void work(Worker& worker, Launch& launch) {
  worker.launch = &launch;
  blockDim = launch.block;
  gridDim = launch.grid;
  set_busy(1);
  context.worker = &worker;
  context.thread = nullptr;
  context.dynamic_shared_bytes = static_cast<unsigned>(launch.dynamic_bytes);
  worker.deal.begin();
  worker.watch.begin(launch);
  worker.looks.count = 0;
  worker.replaying = false;
  int jump = sigsetjmp(worker.recover, 1);
  if (jump != 0) {
    worker.fibers.reset();
    observe::blocks_abandoned();
  }
  if (jump == Worker::kReplay) {
    Block& block = worker.blocks.front();
    block.begin(*worker.launch, block.number);
  }
  if (jump == Worker::kAbandon) {
    worker.blocks.clear();
  } else if (jump == Worker::kReplay || worker.start_block()) {
    worker.fiber = worker.fibers.take();
    switch_stack(&worker.main_context, make_stack<&fiber_main>(worker.fiber->stack_top));
  }
  set_busy(0);
  context.worker = nullptr;
  context.thread = nullptr;
  worker.launch = nullptr;
}

}  // namespace cudacpu
