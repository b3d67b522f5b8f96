// Graphs and their executable forms: making, launching, updating and destroying them.
#include <cstring>
#include <map>

#include "base/call.h"
#include "base/devices.h"
#include "base/error.h"
#include "graphs/conditional.h"
#include "graphs/steps.h"
#include "streams/graph_memory.h"
#include "streams/stream_state.h"
#include "streams/stream_thread.h"

namespace cudacpu {

namespace {

CUgraph_st clone(const CUgraph_st& original) {
  CUgraph_st copy;
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& node : original.nodes) {
    copy.nodes.push_back(std::make_unique<CUgraphNode_st>(*node));
    copies[node.get()] = copy.nodes.back().get();
  }
  for (const auto& node : copy.nodes) {
    for (cudaGraphNode_t& other : node->after)
      other = copies[other];
  }
  return copy;
}

}  // namespace
}  // namespace cudacpu

using namespace cudacpu;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return api([&] {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = graphs().add({});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api([&] {
    if (!graphs().has(graph)) return cudaErrorInvalidValue;
    destroy_graph(graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
  return api([&] {
    if (!copy || !graphs().has(original)) return cudaErrorInvalidValue;
    if (has_conditional_nodes(*original)) {
      explain("cudaGraphClone: a graph with conditional nodes cannot be cloned");
      return cudaErrorNotSupported;
    }
    *copy = graphs().add(clone(*original));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return api([&] {
    if (!executable || !graphs().has(graph)) return cudaErrorInvalidValue;
    if (!bodies_can_run(*graph)) return cudaErrorInvalidValue;
    CUgraphExec_st made{steps_of(*graph), conditions_of(*graph)};
    if (made.steps.size() < graph->nodes.size()) {
      explain("cudaGraphInstantiate: the dependencies of the nodes form a cycle");
      return cudaErrorInvalidValue;
    }
    *executable = executables().add(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
  return api([&] {
    if (!result || !executables().has(executable) || !graphs().has(graph))
      return cudaErrorInvalidValue;
    const auto fresh = steps_of(*graph);
    auto& steps = executable->steps;
    *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
    if (fresh.size() != steps.size()) {
      result->result = cudaGraphExecUpdateErrorTopologyChanged;
      return cudaErrorGraphExecUpdateFailure;
    }
    for (size_t i = 0; i < steps.size(); ++i) {
      if (fresh[i].type == steps[i].type) continue;
      *result = {cudaGraphExecUpdateErrorNodeTypeChanged, fresh[i].node, steps[i].node};
      return cudaErrorGraphExecUpdateFailure;
    }
    for (size_t i = 0; i < steps.size(); ++i)
      steps[i].action = fresh[i].action;
    executable->conditions = conditions_of(*graph);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return api([&] {
    if (!executables().has(executable)) return cudaErrorInvalidValue;
    return check_stream(stream, "cudaGraphUpload");
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const cudaError_t error = api([&] {
    if (!executables().has(executable)) return cudaErrorInvalidValue;
    return check_stream(stream, "cudaGraphLaunch");
  });
  if (error) return error;
  const auto copy_of_work = [&] {
    return [steps = executable->steps, conditions = executable->conditions](cudaStream_t in) {
      assign_defaults(conditions);
      return run_steps(steps, in);
    };
  };
  if (is_capturing(stream)) {
    capture(stream, cudaGraphNodeTypeGraph, copy_of_work());
    return cudaSuccess;
  }
  // Its kernels would wait in any stream: see launch_in_stream().
  if (pending_anywhere()) {
    queue_in(stream, [work = copy_of_work(), stream] { return work(stream); });
    return cudaSuccess;
  }
  assign_defaults(executable->conditions);
  return run_steps(executable->steps, stream);
}

namespace {

// Finds the step that a node became; null if there is none.
GraphStep* find_step(cudaGraphExec_t executable, cudaGraphNode_t node) {
  if (!executables().has(executable)) return nullptr;
  for (GraphStep& step : executable->steps) {
    if (step.node == node) return &step;
  }
  return nullptr;
}

bool can_be_disabled(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemset ||
         type == cudaGraphNodeTypeMemcpy;
}

}  // namespace

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled) {
  return api([&] {
    GraphStep* const step = find_step(executable, node);
    if (!step || !can_be_disabled(step->type)) return cudaErrorInvalidValue;
    step->enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  return api([&] {
    const GraphStep* const step = find_step(executable, node);
    if (!step || !enabled) return cudaErrorInvalidValue;
    *enabled = step->enabled;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api(
      [&] { return executables().remove(executable) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType, void* value) {
  return api([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    if (!value) return cudaErrorInvalidValue;
    // All memory that graphs own is in use as long as they exist.
    const unsigned long long bytes = graph_memory_in_use();
    memcpy(value, &bytes, sizeof bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api([&] { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}
