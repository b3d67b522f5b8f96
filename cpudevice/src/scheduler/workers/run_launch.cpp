#include "scheduler/workers/run_launch.h"

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "driver_types.h"
#include "scheduler/launch/configuration.h"
#include "scheduler/launch/launch.h"
#include "scheduler/workers/pool.h"

namespace cudacpu {

int run_launch(KernelInfo& info, const Body& body, const LaunchConfiguration& c) {
  if (int error = sticky_error()) {
#if CUDACPU_DIAGNOSTICS
    static const bool reported = [&] {
      fprintf(stderr,
              "CPU device: kernel %s (%s:%d) and all later work do not run and are not checked, "
              "because an earlier launch failed (%s); CUDACPU_CONTINUE=1 goes on\n",
              info.name, info.file, info.line, error_name(error));
      return true;
    }();
    (void)reported;
#endif
    return error;
  }
  if (int error = check_configuration(info, c)) {
    set_last_error(error);
    return error;
  }
  Launch launch;
  launch.info = &info;
  launch.body = body;
  launch.grid = c.grid;
  launch.block = c.block;
  launch.dynamic_bytes = c.shared_bytes;
  launch.cooperative = c.cooperative;
  launch.blocks = uint64_t{c.grid.x} * c.grid.y * c.grid.z;
  launch.threads = c.block.x * c.block.y * c.block.z;
  launch.cluster = cluster_of(info, c);
  launch.cluster_blocks = launch.cluster.x * launch.cluster.y * launch.cluster.z;
  launch.clusters = launch.blocks / launch.cluster_blocks;
  // A block that runs a second time, to find a thread, must be alone.
  if (launch.cluster_blocks > 1) launch.body.run_simple = nullptr;
  launch.grid_barrier.begin(launch.blocks);
  // Programs whose blocks wait for each other are written for whole GPUs.
  launch.most_resident =
      static_cast<size_t>(kMultiprocessorsOfWholeGpu) *
      std::max(1, blocks_per_multiprocessor(info, launch.threads, c.shared_bytes));
  if (int error = run_on_workers(launch, c.stream)) return error;
  // A kernel cannot wait for the kernels that it launches, so no program notices the late start.
  for (const StoredLaunch* child : launch.children.in_order()) {
    if (int error = run_stored(*child, c.stream)) return error;
  }
  return cudaSuccess;
}

int run_stored(const StoredLaunch& launch, void* stream) {
  LaunchConfiguration c = launch.configuration;
  c.stream = stream;
  return run_launch(*launch.info, launch.body, c);
}

}  // namespace cudacpu
