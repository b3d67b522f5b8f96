// Launches a kernel: checks the configuration, runs the blocks, then what the kernel launched.
#pragma once

#include "cudacpu/launch.h"
#include "scheduler/launch/stored_launch.h"

namespace cudacpu {

// Runs a kernel with these arguments; returns a cudaError_t.
int run_launch(KernelInfo& info, const Body& body, const LaunchConfiguration& configuration);
// Runs a launch in `stream`; returns a cudaError_t.
int run_stored(const StoredLaunch& launch, void* stream);

}  // namespace cudacpu
