// A launch that is to happen later, with a copy of its arguments: one that a kernel made, or a
// node of a graph.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cudacpu/launch.h"

namespace cudacpu {

struct StoredLaunch {
  StoredLaunch(KernelInfo& kernel, const Body& body, const LaunchConfiguration& configuration);
  KernelInfo* info;
  Body body;  // whose closure is the copy
  LaunchConfiguration configuration;
  std::shared_ptr<void> arguments;
};

// The launches that the kernels of one launch have made.
class DeviceLaunches {
 public:
  void add(StoredLaunch launch);
  // Returns the launches in the order in which they run: those into cudaStreamTailLaunch come last.
  std::vector<const StoredLaunch*> in_order() const;

 private:
  std::mutex mutex_;
  std::vector<StoredLaunch> launches_;
};

}  // namespace cudacpu
