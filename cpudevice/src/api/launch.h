// Launches by kernel handle: of cudaLaunchKernel and of graphs.
#pragma once

#include <optional>

#include "cudacpu/runtime.h"
#include "scheduler/launch/stored_launch.h"

namespace cudacpu {

// Runs `kernel` synchronously; returns a cudaError_t. Sets and prints sticky errors; other errors
// are only returned.
int launch_handle(const KernelHandle& kernel, const LaunchConfiguration& configuration,
                  void** arguments);

// Returns the launch that cudaLaunchKernel would make; nothing for an invalid configuration.
std::optional<StoredLaunch> store_launch(const KernelHandle& kernel,
                                         const LaunchConfiguration& configuration,
                                         void** arguments);

}  // namespace cudacpu
