// Captures: operations in a stream become nodes of a graph instead of being executed.
//
// A graph's nodes hold their actions, in an order that keeps the dependencies. A launch of the
// graph executes the actions one after the other, in the launch's stream: see
// graphs/steps.h.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scheduler/launch/stored_launch.h"
#include "streams/stream_state.h"

namespace cudacpu {

struct Condition;
struct ConditionalNode;  // both: graphs/steps.h

}  // namespace cudacpu

struct CUgraphNode_st {
  using Action = std::function<cudaError_t(cudaStream_t stream)>;
  cudaGraphNodeType type;
  Action action;
  std::vector<cudaGraphNode_t> after;
  cudaKernelNodeParams kernel;                            // as given, for a kernel
  std::shared_ptr<cudacpu::ConditionalNode> conditional;  // for a conditional node
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<cudacpu::Condition>> conditions;
};

namespace cudacpu {

// Adds a node that comes after the nodes `after`.
cudaGraphNode_t append_node(CUgraph_st& graph, cudaGraphNodeType type,
                            std::vector<cudaGraphNode_t> after, CUgraphNode_st::Action action);

bool is_capturing(cudaStream_t stream);
// To be called when no stream is captured into the graph any more.
void end_capture(cudaGraph_t graph);

// Makes a node of the graph from an operation in a stream under capture.
void capture(cudaStream_t stream, cudaGraphNodeType type, CUgraphNode_st::Action action);
void capture_launch(StoredLaunch launch);
// The next operation in `stream` comes after the operations that `event` recorded of a capture.
// From now on the stream belongs to the capture.
cudaError_t capture_wait(cudaStream_t stream, const CUevent_st& event);

}  // namespace cudacpu
