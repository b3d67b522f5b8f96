// Graphs: nodes with what they do, in an order that keeps their dependencies.
//
// A graph is launched by doing what its nodes do one after the other, in the stream it is launched
// into.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "api.h"
#include "stored_launch.h"

struct CUevent_st;

struct CUgraphNode_st {
  using Action = std::function<cudaError_t(cudaStream_t stream)>;
  cudaGraphNodeType type;
  Action action;
  std::vector<cudaGraphNode_t> after;
  cudaKernelNodeParams kernel;  // as given, if it is a kernel
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

namespace cudacpu {

bool is_capturing(cudaStream_t stream);
// No stream is captured into this graph any more.
void end_capture(cudaGraph_t graph);

// Makes what would now happen in a stream that is being captured a node of its graph.
void capture(cudaStream_t stream, cudaGraphNodeType type, CUgraphNode_st::Action action);
void capture_launch(StoredLaunch launch);
// What comes into `stream` next comes after what `event` recorded of a capture, to which the stream
// belongs from now on.
cudaError_t capture_wait(cudaStream_t stream, const CUevent_st& event);
// Memory that belongs to a graph stays as long as the graph; freeing it is an error of nobody.
bool is_graph_memory(const void* pointer);
cudaError_t capture_allocation(cudaStream_t stream, void** pointer, size_t bytes);

}  // namespace cudacpu
