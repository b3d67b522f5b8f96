#include "graphs/steps.h"

#include <algorithm>
#include <set>

#include "base/error.h"

namespace cudacpu {

Handles<CUgraph_st>& graphs() {
  static auto* handles = new Handles<CUgraph_st>;
  return *handles;
}

Handles<CUgraphExec_st>& executables() {
  static auto* handles = new Handles<CUgraphExec_st>;
  return *handles;
}

void destroy_graph(cudaGraph_t graph) {
  for (const auto& node : graph->nodes) {
    if (!node->conditional) continue;
    for (cudaGraph_t body : node->conditional->bodies)
      destroy_graph(body);
  }
  graphs().remove(graph);
}

namespace {

// Returns what a conditional node does.
CUgraphNode_st::Action conditional_action(const ConditionalNode& node) {
  std::vector<std::vector<GraphStep>> bodies;
  for (cudaGraph_t body : node.bodies)
    bodies.push_back(steps_of(*body));
  const auto value = [condition = node.condition] { return condition->value.load(); };
  switch (node.type) {
    case cudaGraphCondTypeIf:
      return [value, bodies](cudaStream_t stream) {
        if (value()) return run_steps(bodies[0], stream);
        return bodies.size() > 1 ? run_steps(bodies[1], stream) : cudaSuccess;
      };
    case cudaGraphCondTypeWhile:
      return [value, bodies](cudaStream_t stream) {
        while (value()) {
          if (cudaError_t error = run_steps(bodies[0], stream)) return error;
        }
        return cudaSuccess;
      };
    default:
      return [value, bodies](cudaStream_t stream) {
        const unsigned chosen = value();
        return chosen < bodies.size() ? run_steps(bodies[chosen], stream) : cudaSuccess;
      };
  }
}

}  // namespace

std::vector<GraphStep> steps_of(const CUgraph_st& graph) {
  std::vector<GraphStep> steps;
  std::set<cudaGraphNode_t> done;
  for (bool progress = true; progress && done.size() < graph.nodes.size();) {
    progress = false;
    for (const auto& node : graph.nodes) {
      if (done.count(node.get())) continue;
      const bool ready = std::all_of(node->after.begin(), node->after.end(),
                                     [&](cudaGraphNode_t other) { return done.count(other); });
      if (!ready) continue;
      steps.push_back({node.get(), node->type,
                       node->conditional ? conditional_action(*node->conditional) : node->action});
      done.insert(node.get());
      progress = true;
    }
  }
  if (done.size() < graph.nodes.size()) steps.clear();
  return steps;
}

cudaError_t run_steps(const std::vector<GraphStep>& steps, cudaStream_t stream) {
  for (const auto& step : steps) {
    if (!step.action || !step.enabled) continue;
    if (cudaError_t error = step.action(stream)) return error;
  }
  return cudaSuccess;
}

bool plain_edges(const cudaGraphEdgeData* edges, size_t count) {
  for (size_t i = 0; edges && i < count; ++i) {
    if (edges[i].from_port == 0 && edges[i].to_port == 0 && edges[i].type == 0) continue;
    explain("the CPU device has no edges of a graph with data (ports, programmatic launches)");
    return false;
  }
  return true;
}

}  // namespace cudacpu
