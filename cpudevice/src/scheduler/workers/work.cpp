#include "scheduler/workers/work.h"

#include "base/clock.h"
#include "diagnostics/observer.h"
#include "scheduler/threads/resident_blocks.h"
#include "scheduler/threads/switch.h"
#include "scheduler/threads/yield.h"

namespace cudacpu {

void work(Worker& worker, Launch& launch) {
  worker.launch = &launch;
  blockDim = launch.block;
  gridDim = launch.grid;
  set_busy(1);
  context.worker = &worker;
  context.thread = nullptr;
  context.dynamic_shared_bytes = static_cast<unsigned>(launch.dynamic_bytes);
  worker.run_next = worker.run_end = 0;
  worker.run_length = 1;
  worker.run_started = now_seconds();
  worker.idle_yields = worker.idle_times = 0;
  worker.idle_blocks = worker.unasked = 0;
  worker.looked = 0;
  note_progress_of_others(worker, 0);
  worker.looks.count = 0;
  worker.replaying = false;
  int jump = sigsetjmp(worker.recover, 1);
  if (jump != 0) {
    worker.fibers.reset();
    observe::blocks_abandoned();
  }
  if (jump == Worker::kReplay) {
    worker.resident.front()->begin(*worker.launch, worker.resident.front()->number);
  }
  if (jump == Worker::kAbandon) {
    for (Block* block : worker.resident)
      worker.spare.emplace_back(block);
    worker.resident.clear();
  } else if (jump == Worker::kReplay || start_block(worker)) {
    worker.fiber = worker.fibers.take();
    switch_stack(&worker.main_context, make_stack<&fiber_main>(worker.fiber->stack_top));
  }
  set_busy(0);
  context.worker = nullptr;
  context.thread = nullptr;
  worker.launch = nullptr;
}

}  // namespace cudacpu
