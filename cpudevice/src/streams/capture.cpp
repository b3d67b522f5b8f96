#include "streams/capture.h"

#include <algorithm>

#include "scheduler/workers/run_launch.h"

namespace cudacpu {

cudaGraphNode_t append_node(CUgraph_st& graph, cudaGraphNodeType type,
                            std::vector<cudaGraphNode_t> after, CUgraphNode_st::Action action) {
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>(
      CUgraphNode_st{type, std::move(action), std::move(after), {}, {}}));
  return graph.nodes.back().get();
}

bool is_capturing(cudaStream_t stream) {
  if (stream != cudaStreamPerThread && (is_default(stream) || !streams().has(stream))) return false;
  return capture_of(stream).graph;
}

void end_capture(cudaGraph_t graph) {
  const auto end = [&](auto& object) {
    if (object.capture.graph == graph) object.capture = {};
  };
  streams().for_each(end);
  events().for_each(end);
}

void capture(cudaStream_t stream, cudaGraphNodeType type, CUgraphNode_st::Action action) {
  Capture& c = capture_of(stream);
  c.last = {append_node(*c.graph, type, c.last, std::move(action))};
}

void capture_launch(StoredLaunch launch) {
  auto* stream = static_cast<cudaStream_t>(launch.configuration.stream);
  capture(stream, cudaGraphNodeTypeKernel,
          [launch](cudaStream_t in) { return static_cast<cudaError_t>(run_stored(launch, in)); });
}

cudaError_t capture_wait(cudaStream_t stream, const CUevent_st& event) {
  if (!event.capture.graph) return cudaErrorStreamCaptureIsolation;
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorStreamCaptureImplicit;
  Capture& c = capture_of(stream);
  if (c.graph && c.graph != event.capture.graph) return cudaErrorStreamCaptureMerge;
  if (!c.graph) c = {event.capture.graph, event.capture.origin, event.capture.id, {}, false};
  for (cudaGraphNode_t node : event.capture.last) {
    if (std::find(c.last.begin(), c.last.end(), node) == c.last.end()) c.last.push_back(node);
  }
  return cudaSuccess;
}

}  // namespace cudacpu
