// Graphs made by capturing streams.
#include <atomic>
#include <set>

#include "base/call.h"
#include "base/error.h"
#include "graphs/steps.h"
#include "streams/stream_state.h"

using namespace cudacpu;

namespace {

cudaError_t begin(cudaStream_t stream, cudaGraph_t graph, std::vector<cudaGraphNode_t> after,
                  const char* function) {
  static std::atomic<unsigned long long> captures{0};
  if (cudaError_t error = check_stream(stream, function)) return error;
  if (stream == nullptr || stream == cudaStreamLegacy) {
    explain("%s: the default stream cannot be captured", function);
    return cudaErrorStreamCaptureUnsupported;
  }
  if (is_capturing(stream)) return cudaErrorIllegalState;
  capture_of(stream) = {graph ? graph : graphs().add({}), stream, ++captures, std::move(after),
                        graph != nullptr};
  return cudaSuccess;
}

// Whether the capture that began in `stream` has waited for all others that it forked into.
bool joined(cudaStream_t stream) {
  const Capture& capture = capture_of(stream);
  std::set<cudaGraphNode_t> reached;
  std::vector<cudaGraphNode_t> open = capture.last;
  while (!open.empty()) {
    const cudaGraphNode_t node = open.back();
    open.pop_back();
    if (reached.insert(node).second)
      open.insert(open.end(), node->after.begin(), node->after.end());
  }
  bool all = true;
  streams().for_each([&](const CUstream_st& other) {
    if (other.capture.id != capture.id) return;
    for (cudaGraphNode_t node : other.capture.last)
      all = all && reached.count(node);
  });
  return all;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return api([&] { return begin(stream, nullptr, {}, "cudaStreamBeginCapture"); });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* edges, size_t count,
                                          cudaStreamCaptureMode) {
  return api([&] {
    if (!graphs().has(graph) || (count && !dependencies)) return cudaErrorInvalidValue;
    if (!plain_edges(edges, count)) return cudaErrorNotSupported;
    return begin(stream, graph, {dependencies, dependencies + count},
                 "cudaStreamBeginCaptureToGraph");
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api([&] {
    if (cudaError_t error = check_stream(stream, "cudaStreamEndCapture")) return error;
    if (!is_capturing(stream)) return cudaErrorIllegalState;
    if (capture_of(stream).origin != stream) return cudaErrorStreamCaptureUnmatched;
    const Capture ended = capture_of(stream);
    if (!graph && !ended.adds_to_graph) return cudaErrorInvalidValue;
    const bool whole = joined(stream);
    end_capture(ended.graph);
    if (graph) *graph = whole ? ended.graph : nullptr;
    if (whole) return cudaSuccess;
    explain("cudaStreamEndCapture: a stream that the capture forked into was not joined again");
    if (!ended.adds_to_graph) destroy_graph(ended.graph);
    return cudaErrorStreamCaptureUnjoined;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return api([&] {
    if (!status) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamIsCapturing")) return error;
    *status = is_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return api([&] {
    if (!status) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamGetCaptureInfo")) return error;
    *status = is_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (!is_capturing(stream)) return cudaSuccess;
    const Capture& capture = capture_of(stream);
    if (id) *id = capture.id;
    if (graph) *graph = capture.graph;
    if (dependencies) *dependencies = capture.last.data();
    if (edges) *edges = nullptr;
    if (count) *count = capture.last.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* edges, size_t count,
                                                unsigned int flags) {
  return api([&] {
    if ((count && !dependencies) || flags > cudaStreamSetCaptureDependencies)
      return cudaErrorInvalidValue;
    if (!plain_edges(edges, count)) return cudaErrorNotSupported;
    if (cudaError_t error = check_stream(stream, "cudaStreamUpdateCaptureDependencies"))
      return error;
    if (!is_capturing(stream)) return cudaErrorIllegalState;
    auto& last = capture_of(stream).last;
    if (flags == cudaStreamSetCaptureDependencies) last.clear();
    last.insert(last.end(), dependencies, dependencies + count);
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  return api([&] {
    if (!mode) return cudaErrorInvalidValue;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}
