// Streams and events: what is known of each, and which of them exist. Everything has finished when
// its call returns, so a stream is a name to be checked, and an event the time at which it was
// recorded.
#pragma once

#include <chrono>
#include <vector>

#include "base/handles.h"
#include "cuda_runtime_api.h"

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

namespace cudacpu {

Handles<CUstream_st>& streams();
Handles<CUevent_st>& events();

bool is_default(cudaStream_t stream);
StreamAttributes& attributes_of(cudaStream_t stream);

// cudaSuccess if `stream`, or `event`, is one that exists.
cudaError_t check_stream(cudaStream_t stream, const char* function);
cudaError_t check_event(cudaEvent_t event, const char* function);

void destroy_all_streams_and_events();

}  // namespace cudacpu
