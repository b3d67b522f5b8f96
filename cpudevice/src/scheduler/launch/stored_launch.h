// A launch for later, with a copy of the arguments: the launch of a kernel by a kernel, or a node
// of a graph.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "cudacpu/launch.h"

namespace cudacpu {

struct StoredLaunch {
  StoredLaunch(KernelInfo& kernel, const Body& body, const LaunchConfiguration& configuration);
  KernelInfo* info;
  Body body;  // with the copy as its closure
  LaunchConfiguration configuration;
  std::shared_ptr<void> arguments;
};

// The launches by the kernels of one launch.
class DeviceLaunches {
 public:
  void add(StoredLaunch launch);
  // Returns the launches in the order of their execution: launches into cudaStreamTailLaunch last.
  std::vector<const StoredLaunch*> in_order() const;

 private:
  std::mutex mutex_;
  std::vector<StoredLaunch> launches_;
};

}  // namespace cudacpu
