#include "scheduler/launch/stored_launch.h"

#include <cstring>
#include <new>

#include "driver_types.h"

namespace cudacpu {

StoredLaunch::StoredLaunch(KernelInfo& kernel, const Body& original, const LaunchConfiguration& c)
    : info(&kernel), body(original), configuration(c) {
  // Arguments of kernels are copied as bytes, as on a GPU.
  constexpr std::align_val_t kAlignment{64};
  void* copy = operator new(body.closure_bytes, kAlignment);
  memcpy(copy, body.closure, body.closure_bytes);
  arguments.reset(copy, [](void* p) { operator delete(p, kAlignment); });
  body.closure = copy;
}

void DeviceLaunches::add(StoredLaunch launch) {
  std::lock_guard<std::mutex> lock(mutex_);
  launches_.push_back(std::move(launch));
}

std::vector<const StoredLaunch*> DeviceLaunches::in_order() const {
  std::vector<const StoredLaunch*> ordered;
  for (const bool last : {false, true}) {
    for (const StoredLaunch& launch : launches_) {
      if ((launch.configuration.stream == cudaStreamTailLaunch) == last) ordered.push_back(&launch);
    }
  }
  return ordered;
}

}  // namespace cudacpu
