// One launch of a kernel, shared by the workers that take part in it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "cudacpu/launch.h"
#include "scheduler/launch/code_range.h"
#include "scheduler/launch/failure.h"
#include "scheduler/launch/grid_barrier.h"
#include "scheduler/launch/stored_launch.h"

namespace cudacpu {

struct Launch {
  uint64_t number;  // 1, 2, ...
  KernelInfo* info;
  Body body;
  dim3 grid, block;
  size_t dynamic_bytes;
  bool cooperative;
  uint64_t blocks;
  unsigned threads;
  dim3 cluster;             // blocks
  unsigned cluster_blocks;  // in all
  uint64_t clusters;        // of the grid; dealt to the workers
  double started;           // seconds
  CodeRange code;           // of the loaded file with the kernel
  size_t most_resident;     // blocks that a whole GPU would run at a time
  // All workers of the process; a worker takes part in the launch to which its `launch` points.
  const std::vector<std::unique_ptr<Worker>>* workers = nullptr;
  bool crowded = false;                 // the process has more workers than processors
  std::atomic<uint64_t> idle_looks{0};  // of workers that found all their blocks waiting

  alignas(128) std::atomic<uint64_t> next_cluster{0};
  alignas(128) std::atomic<int> working{0};  // workers that have joined and not left
  std::atomic<bool> timed_out{false};        // set by the watchdog, after the next three members
  double time_limit = 0;                     // the exceeded limit, in seconds
  bool no_block_began = false;               // within the limit
  bool only_waited = false;                  // all threads, when the limit was exceeded
  std::atomic<int> failed{0};
  Failure failure;
#if CUDACPU_DIAGNOSTICS
  Failure repaired;  // the first bad access after which the launch went on; fails the launch later
#endif

  DeviceLaunches children;

  GridBarrier grid_barrier;
};

// Where the running thread is, without the frames.
CodePlace place_of_thread();
// Claims the launch's failure; null if another thread was first.
Failure* claim_failure(Launch& launch, Failure::Kind kind, int error);

}  // namespace cudacpu
