// Which graphs exist, and the steps in which a graph is carried out.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/handles.h"
#include "streams/capture.h"

namespace cudacpu {

// What a cudaGraphConditionalHandle stands for, as long as the graph or an instance of the graph
// exists.
struct Condition {
  cudaGraphConditionalHandle handle;
  std::atomic<unsigned> value;
  unsigned default_value;
  bool assign_default;  // at each launch
};

struct ConditionalNode {
  cudaGraphConditionalNodeType type;
  std::shared_ptr<Condition> condition;
  std::vector<cudaGraph_t> bodies;
};

// `node` is the original node, for the functions that change it.
struct GraphStep {
  cudaGraphNode_t node;
  cudaGraphNodeType type;
  CUgraphNode_st::Action action;
  bool enabled = true;
};

}  // namespace cudacpu

// The result of cudaGraphInstantiate: the nodes in an order that respects the edges.
struct CUgraphExec_st {
  std::vector<cudacpu::GraphStep> steps;
  // The handles of all conditional nodes, which get their default values at each launch.
  std::vector<std::shared_ptr<cudacpu::Condition>> conditions;
};

namespace cudacpu {

Handles<CUgraph_st>& graphs();
Handles<CUgraphExec_st>& executables();

// Destroys a graph and the graphs of its conditional nodes.
void destroy_graph(cudaGraph_t graph);

// Returns the steps of a graph in an order that respects the edges; none if the graph has a cycle.
std::vector<GraphStep> steps_of(const CUgraph_st& graph);
cudaError_t run_steps(const std::vector<GraphStep>& steps, cudaStream_t stream);

// Whether the edges have no data, or data that say what an edge without data says.
bool plain_edges(const cudaGraphEdgeData* edges, size_t count);

}  // namespace cudacpu
