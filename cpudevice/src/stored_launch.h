// A launch that is to happen later, with a copy of its arguments: one that a kernel made, or a
// node of a graph.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "cudacpu/launch.h"

namespace cudacpu {

struct StoredLaunch {
  StoredLaunch(KernelInfo& kernel, const Body& body, const LaunchConfiguration& configuration);
  // In `stream`; returns a cudaError_t.
  int run(void* stream) const;

  KernelInfo* info;
  Body body;  // whose closure is the copy
  LaunchConfiguration configuration;
  std::shared_ptr<void> arguments;
};

// The launch that cudaLaunchKernel would make; nothing if its configuration cannot be launched.
std::optional<StoredLaunch> store_launch(const KernelHandle& kernel,
                                         const LaunchConfiguration& configuration,
                                         void** arguments);

// What the kernels of one launch have launched.
class DeviceLaunches {
 public:
  void add(StoredLaunch launch);
  // To be called when the launch has ended: a kernel cannot wait for what it launches, so nobody
  // can tell that it did not begin sooner. What is launched into cudaStreamTailLaunch comes last.
  // Returns the first error.
  int run(void* stream);

 private:
  std::mutex mutex_;
  std::vector<StoredLaunch> launches_;
};

}  // namespace cudacpu
