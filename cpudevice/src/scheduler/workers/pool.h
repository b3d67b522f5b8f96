// The workers, which share a launch's blocks. Worker 0 is the OS thread that launches; the others
// are threads of the pool.
#pragma once

#include <cstddef>

#include "scheduler/launch/launch.h"

namespace cudacpu {

// Runs all blocks of the launch, one launch at a time; reports what went wrong and returns a
// cudaError_t. `stream` is only passed on to the observer.
int run_on_workers(Launch& launch, void* stream);

// Whether the running launch has only waited for a while, perhaps for the host.
bool launch_only_waits();

// How many OS threads run blocks: one per processor, or CUDACPU_WORKERS.
int worker_count();

// The largest number of bytes of local variables and calls per thread
// (cudaDeviceSetLimit(cudaLimitStackSize)).
int set_stack_limit(size_t bytes);  // returns a cudaError_t
size_t stack_limit();

}  // namespace cudacpu
