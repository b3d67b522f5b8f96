// The state of streams and events, and which of them exist. Almost all work is done when its call
// returns, so a stream is only a name to be checked, and an event the time of its record;
// stream_thread.h has the exception.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/handles.h"
#include "cuda_runtime_api.h"

namespace cudacpu {

// Attributes are stored, and have no effect on the CPU device.
struct StreamAttributes {
  cudaAccessPolicyWindow window = {};
  cudaSynchronizationPolicy policy = cudaSyncPolicyAuto;
};

// The graph into which a stream is being captured, and the nodes that the stream's next node comes
// after; for an event, the recorded capture. Without a graph there is no capture.
struct Capture {
  cudaGraph_t graph = nullptr;
  cudaStream_t origin = nullptr;  // where the capture began
  unsigned long long id = 0;      // of the capture
  std::vector<cudaGraphNode_t> last;
  bool adds_to_graph = false;  // whether the graph existed before the capture
};

}  // namespace cudacpu

struct CUstream_st {
  unsigned int flags;
  int priority;
  int device;
  cudacpu::StreamAttributes attributes;
  cudacpu::Capture capture;
};

struct CUevent_st {
  unsigned int flags;
  bool recorded;
  std::shared_ptr<std::chrono::steady_clock::time_point> time;  // valid unless pending
  cudacpu::Capture capture;
  uint64_t ticket = 0;  // of the queued work that records the event: streams/stream_thread.h
};

namespace cudacpu {

Handles<CUstream_st>& streams();
Handles<CUevent_st>& events();

bool is_default(cudaStream_t stream);
StreamAttributes& attributes_of(cudaStream_t stream);
// The capture of a stream that may have a capture: cudaStreamPerThread is a stream of its own in
// each host thread. The legacy default stream cannot be captured.
Capture& capture_of(cudaStream_t stream);

// Returns cudaSuccess if `stream`, or `event`, exists.
cudaError_t check_stream(cudaStream_t stream, const char* function);
cudaError_t check_event(cudaEvent_t event, const char* function);

void destroy_all_streams_and_events();

}  // namespace cudacpu
