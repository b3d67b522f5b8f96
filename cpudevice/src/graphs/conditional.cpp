#include "graphs/conditional.h"

#include <map>
#include <mutex>

#include "base/call.h"
#include "base/error.h"

namespace cudacpu {
namespace {

std::mutex conditions_mutex;

// By handle. Handles are numbers from 1 on, so that a program prints the same ones in each run.
std::map<cudaGraphConditionalHandle, std::weak_ptr<Condition>>& all_conditions() {
  static auto* conditions = new std::map<cudaGraphConditionalHandle, std::weak_ptr<Condition>>;
  return *conditions;
}

std::shared_ptr<Condition> new_condition(unsigned default_value, bool assign_default) {
  static cudaGraphConditionalHandle last = 0;
  std::lock_guard<std::mutex> lock(conditions_mutex);
  const cudaGraphConditionalHandle handle = ++last;
  std::shared_ptr<Condition> condition(new Condition{handle, {0}, default_value, assign_default},
                                       [](Condition* dead) {
                                         std::lock_guard<std::mutex> guard(conditions_mutex);
                                         all_conditions().erase(dead->handle);
                                         delete dead;
                                       });
  all_conditions()[handle] = condition;
  return condition;
}

std::shared_ptr<Condition> find_condition(cudaGraphConditionalHandle handle) {
  std::lock_guard<std::mutex> lock(conditions_mutex);
  const auto found = all_conditions().find(handle);
  return found == all_conditions().end() ? nullptr : found->second.lock();
}

template <typename Function>
void for_each_body(const CUgraph_st& graph, Function function) {
  for (const auto& node : graph.nodes) {
    if (!node->conditional) continue;
    for (cudaGraph_t body : node->conditional->bodies)
      function(*body);
  }
}

// The nodes that CUDA allows in the graph of a conditional node.
bool may_be_conditional(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeEmpty ||
         type == cudaGraphNodeTypeGraph || type == cudaGraphNodeTypeMemset ||
         type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeConditional;
}

}  // namespace

cudaError_t add_conditional_node(cudaGraphNode_t* node, cudaGraph_t graph,
                                 std::vector<cudaGraphNode_t> after, cudaConditionalNodeParams& p) {
  const std::shared_ptr<Condition> condition = find_condition(p.handle);
  if (!condition) {
    explain("cudaGraphAddNode: there is no such conditional handle");
    return cudaErrorInvalidValue;
  }
  const bool right_size = p.type == cudaGraphCondTypeIf      ? p.size == 1 || p.size == 2
                          : p.type == cudaGraphCondTypeWhile ? p.size == 1
                                                             : p.size > 0;
  if (p.type < cudaGraphCondTypeIf || p.type > cudaGraphCondTypeSwitch || !right_size)
    return cudaErrorInvalidValue;
  auto conditional = std::make_shared<ConditionalNode>();
  conditional->type = p.type;
  conditional->condition = condition;
  for (unsigned i = 0; i < p.size; ++i)
    conditional->bodies.push_back(graphs().add({}));
  p.phGraph_out = conditional->bodies.data();
  *node = append_node(*graph, cudaGraphNodeTypeConditional, std::move(after), nullptr);
  (*node)->conditional = std::move(conditional);
  return cudaSuccess;
}

bool has_conditional_nodes(const CUgraph_st& graph) {
  for (const auto& node : graph.nodes) {
    if (node->conditional) return true;
  }
  return false;
}

bool bodies_can_run(const CUgraph_st& graph) {
  bool can = true;
  for_each_body(graph, [&can](const CUgraph_st& body) {
    for (const auto& node : body.nodes) {
      if (may_be_conditional(node->type)) continue;
      explain(
          "cudaGraphInstantiate: the graph of a conditional node may hold only kernels, copies, "
          "fills, child graphs, empty nodes and conditional nodes");
      can = false;
    }
    if (steps_of(body).size() < body.nodes.size()) {
      explain("cudaGraphInstantiate: the dependencies of the nodes form a cycle");
      can = false;
    }
    can = can && bodies_can_run(body);
  });
  return can;
}

std::vector<std::shared_ptr<Condition>> conditions_of(const CUgraph_st& graph) {
  std::vector<std::shared_ptr<Condition>> all = graph.conditions;
  for_each_body(graph, [&all](const CUgraph_st& body) {
    for (const auto& condition : conditions_of(body))
      all.push_back(condition);
  });
  return all;
}

void assign_defaults(const std::vector<std::shared_ptr<Condition>>& conditions) {
  for (const auto& condition : conditions) {
    if (condition->assign_default) condition->value = condition->default_value;
  }
}

}  // namespace cudacpu

using namespace cudacpu;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int default_value, unsigned int flags) {
  return api([&] {
    if (!handle || !graphs().has(graph) || (flags & ~unsigned{cudaGraphCondAssignDefault}))
      return cudaErrorInvalidValue;
    graph->conditions.push_back(new_condition(default_value, flags & cudaGraphCondAssignDefault));
    *handle = graph->conditions.back()->handle;
    return cudaSuccess;
  });
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  NoPreemption guard;
  const std::shared_ptr<Condition> condition = find_condition(handle);
  if (!condition)
    kernel_trap(cudaErrorInvalidValue,
                "called cudaGraphSetConditional() with a handle that does not exist");
  condition->value = value;
}
