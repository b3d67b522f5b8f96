// One launch of a kernel, shared by the workers that take part in it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "cudacpu/launch.h"
#include "scheduler/launch/code_range.h"
#include "scheduler/launch/failure.h"
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
  uint64_t clusters;        // of the grid: what workers are dealt
  double started;           // seconds
  CodeRange code;           // of the loaded file that holds the kernel
  size_t most_resident;     // blocks that a whole GPU would run at a time
  // All workers of the process; those whose launch this is take part in it.
  const std::vector<std::unique_ptr<Worker>>* workers = nullptr;
  bool crowded = false;                 // there are more of them than processors
  std::atomic<uint64_t> vain_looks{0};  // of workers, when all their blocks only waited

  alignas(128) std::atomic<uint64_t> next_cluster{0};
  alignas(128) std::atomic<int> working{0};  // workers that have joined and not left
  std::atomic<bool> timed_out{false};        // set by the watchdog, after the next two
  double time_limit = 0;                     // that was exceeded, in seconds
  bool no_block_began = false;               // for so long
  bool only_waited = false;                  // all threads then
  std::atomic<int> failed{0};
  Failure failure;
#if CUDACPU_DIAGNOSTICS
  Failure repaired;  // the first bad access after which the launch went on: it fails in the end
#endif

  DeviceLaunches children;

  std::mutex grid_mutex;
  uint64_t grid_arrived = 0, grid_live = 0;
  std::atomic<uint64_t> grid_generation{0};
  int grid_idle = 0;  // workers that wait for the present generation; guarded by grid_mutex
};

// Where this thread is, without its frames.
CodePlace place_of_thread();
// Claims the launch's failure; null if another thread was first.
Failure* claim_failure(Launch& launch, Failure::Kind kind, int error);

}  // namespace cudacpu
