// Conditional nodes: their handles, what their graphs may hold, and adding them.
#pragma once

#include <memory>
#include <vector>

#include "graphs/steps.h"

namespace cudacpu {

cudaError_t add_conditional_node(cudaGraphNode_t* node, cudaGraph_t graph,
                                 std::vector<cudaGraphNode_t> after, cudaConditionalNodeParams& p);
bool has_conditional_nodes(const CUgraph_st& graph);
// Whether all graphs of conditional nodes hold only nodes that they may, and no cycles; explains
// why not.
bool bodies_can_run(const CUgraph_st& graph);
// Returns the conditions of the graph and of the graphs of its conditional nodes.
std::vector<std::shared_ptr<Condition>> conditions_of(const CUgraph_st& graph);
void assign_defaults(const std::vector<std::shared_ptr<Condition>>& conditions);

}  // namespace cudacpu
