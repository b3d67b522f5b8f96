// Streams and events, as the files that implement them see them.
#pragma once

#include <chrono>
#include <vector>

#include "api.h"

namespace cudacpu {

// Attributes are remembered, and hint at nothing that this device has.
struct StreamAttributes {
  cudaAccessPolicyWindow window = {};
  cudaSynchronizationPolicy policy = cudaSyncPolicyAuto;
};

// The graph that a stream is being captured into, and the nodes that its next one comes after; of
// an event, what it recorded. No graph: not captured.
struct Capture {
  cudaGraph_t graph = nullptr;
  cudaStream_t origin = nullptr;  // where the capture began
  std::vector<cudaGraphNode_t> last;
};

}  // namespace cudacpu

struct CUstream_st {
  unsigned int flags;
  int priority;
  cudacpu::StreamAttributes attributes;
  cudacpu::Capture capture;
};

struct CUevent_st {
  unsigned int flags;
  bool recorded;
  std::chrono::steady_clock::time_point time;
  cudacpu::Capture capture;
};
