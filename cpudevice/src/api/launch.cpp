// Launches: kernel<<<...>>>(...), cudaLaunchKernel and its variants.
#include "api/launch.h"

#include <cstdio>
#include <vector>

#include "api/kernel_lookup.h"
#include "base/call.h"
#include "base/error.h"
#include "cudacpu/kernel_api.h"
#include "scheduler/launch/configuration.h"
#include "scheduler/threads/worker.h"
#include "streams/capture.h"
#include "streams/stream_state.h"
#include "streams/stream_thread.h"

namespace cudacpu {
namespace {

// The configurations pushed by <<<...>>>: a stack, since the arguments of a launch may themselves
// launch.
thread_local std::vector<LaunchConfiguration> pending;

__thread std::optional<StoredLaunch>* stored_launch;  // takes the next launch, unless null
__thread int handle_result;                           // of the running launch_handle()

cudaError_t launch(const KernelHandle& kernel, const LaunchConfiguration& configuration,
                   void** arguments, const char* function) {
  const cudaError_t error = api([&] {
    if (cudaError_t error = check_kernel(kernel.info, function)) return error;
    return check_stream(static_cast<cudaStream_t>(configuration.stream), function);
  });
  if (error != cudaSuccess) return error;
  return static_cast<cudaError_t>(launch_handle(kernel, configuration, arguments));
}

}  // namespace

void push_launch(dim3 grid, dim3 block, size_t shared_bytes, void* stream) {
  pending.push_back({grid, block, shared_bytes, stream, false, {}});
}

void launch_body(KernelInfo& info, const Body& body) {
  if (answer_query(info)) return;
  if (pending.empty() && in_kernel()) {
    kernel_trap(cudaErrorLaunchFailure, "calls another kernel like a function");
  }
  if (pending.empty()) {
    fprintf(stderr, "CPU device: kernel %s (%s:%d) was called without <<<grid, block>>>\n",
            info.name, info.file, info.line);
    set_last_error(cudaErrorInvalidConfiguration);
    return;
  }
  LaunchConfiguration configuration = pending.back();
  pending.pop_back();
  info.entry = reinterpret_cast<const void*>(body.run);
  if (stored_launch) {
    stored_launch->emplace(info, body, configuration);
    return;
  }
  if (in_kernel()) {
    NoPreemption guard;
    handle_result = check_configuration(info, configuration);
    if (handle_result) return set_last_error(handle_result);
    context.worker->launch->children.add({info, body, configuration});
    return;
  }
  if (is_capturing(static_cast<cudaStream_t>(configuration.stream))) {
    handle_result = check_configuration(info, configuration);
    if (handle_result) return set_last_error(handle_result);
    capture_launch({info, body, configuration});
    return;
  }
  handle_result = launch_in_stream(info, body, configuration);
}

int launch_handle(const KernelHandle& kernel, const LaunchConfiguration& configuration,
                  void** arguments) {
  push_launch(configuration.grid, configuration.block, configuration.shared_bytes,
              configuration.stream);
  pending.back().cooperative = configuration.cooperative;
  pending.back().cluster = configuration.cluster;
  kernel.call_with_arguments(kernel.kernel, arguments);
  return handle_result;
}

std::optional<StoredLaunch> store_launch(const KernelHandle& kernel,
                                         const LaunchConfiguration& configuration,
                                         void** arguments) {
  std::optional<StoredLaunch> stored;
  stored_launch = &stored;
  launch_handle(kernel, configuration, arguments);
  stored_launch = nullptr;
  return check_configuration(*kernel.info, configuration) ? std::nullopt : std::move(stored);
}

cudaError_t launch_kernel(const KernelHandle& kernel, const LaunchConfiguration& configuration,
                          void** arguments, const char* function) {
  return launch(kernel, configuration, arguments, function);
}

cudaError_t launch_kernel(const KernelHandle& kernel, const cudaLaunchConfig_t* c,
                          void** arguments) {
  bool cooperative = false;
  uint3 cluster = {0, 0, 0};
  const cudaError_t error = api([&] {
    if (!c || (c->numAttrs && !c->attrs)) return cudaErrorInvalidValue;
    for (unsigned i = 0; i < c->numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = c->attrs[i];
      if (attribute.id == cudaLaunchAttributeCooperative)
        cooperative = attribute.val.cooperative != 0;
      if (attribute.id == cudaLaunchAttributeClusterDimension) {
        const auto& size = attribute.val.clusterDim;
        if (size.x == 0 || size.y == 0 || size.z == 0) return cudaErrorInvalidValue;
        cluster = {size.x, size.y, size.z};
      }
    }
    return cudaSuccess;
  });
  if (error != cudaSuccess) return error;
  return launch(kernel,
                {c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream, cooperative, cluster},
                arguments, "cudaLaunchKernelEx");
}

}  // namespace cudacpu
