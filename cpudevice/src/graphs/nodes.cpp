// Nodes of graphs: each type's work, adding nodes, and giving them other parameters.
#include <cstring>

#include "api/launch.h"
#include "base/call.h"
#include "base/error.h"
#include "cudacpu/kernel_api.h"
#include "graphs/conditional.h"
#include "scheduler/workers/run_launch.h"
#include "streams/graph_memory.h"

namespace cudacpu {
namespace {

using Action = CUgraphNode_st::Action;

// Each of these makes a node's work from its parameters.

// The arguments are copied now.
cudaError_t make_action(const cudaKernelNodeParams* p, Action* action, const char* function) {
  if (!p || !p->func || p->extra) return cudaErrorInvalidValue;
  const KernelHandle kernel = find_kernel(p->func);
  if (!kernel.info) {
    explain("%s: the pointer does not say which kernel it is; pass (void*)kernel", function);
    return cudaErrorInvalidDeviceFunction;
  }
  auto launch = store_launch(
      kernel, {p->gridDim, p->blockDim, p->sharedMemBytes, nullptr, false, {}}, p->kernelParams);
  if (!launch) return cudaErrorInvalidConfiguration;
  *action = [launch = *launch](cudaStream_t stream) {
    return static_cast<cudaError_t>(run_stored(launch, stream));
  };
  return cudaSuccess;
}

cudaError_t make_action(const cudaMemcpy3DParms* p, Action* action, const char*) {
  if (!p) return cudaErrorInvalidValue;
  *action = [copy = *p](cudaStream_t stream) { return cudaMemcpy3DAsync(&copy, stream); };
  return cudaSuccess;
}

struct Copy1D {
  void* destination;
  const void* source;
  size_t bytes;
  cudaMemcpyKind kind;
};

cudaError_t make_action(const Copy1D* p, Action* action, const char*) {
  *action = [copy = *p](cudaStream_t stream) {
    return cudaMemcpyAsync(copy.destination, copy.source, copy.bytes, copy.kind, stream);
  };
  return cudaSuccess;
}

// Elements of 1, 2 or 4 bytes.
cudaError_t fill(const cudaMemsetParams& p, cudaStream_t stream) {
  const size_t row = p.width * p.elementSize;
  const size_t pitch = p.height > 1 ? p.pitch : row;
  // Tells the diagnostic modes what is written; for bytes it also does all the work.
  if (cudaError_t error =
          cudaMemset2DAsync(p.dst, pitch, static_cast<int>(p.value & 255), row, p.height, stream))
    return error;
  if (p.elementSize == 1) return cudaSuccess;
  for (size_t y = 0; y < p.height; ++y) {
    for (size_t x = 0; x < p.width; ++x) {
      memcpy(static_cast<char*>(p.dst) + y * pitch + x * p.elementSize, &p.value, p.elementSize);
    }
  }
  return cudaSuccess;
}

cudaError_t make_action(const cudaMemsetParams* p, Action* action, const char*) {
  if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return cudaErrorInvalidValue;
  *action = [what = *p](cudaStream_t stream) { return fill(what, stream); };
  return cudaSuccess;
}

cudaError_t make_action(const cudaHostNodeParams* p, Action* action, const char*) {
  if (!p || !p->fn) return cudaErrorInvalidValue;
  *action = [host = *p](cudaStream_t stream) {
    return cudaLaunchHostFunc(stream, host.fn, host.userData);
  };
  return cudaSuccess;
}

Action recording(cudaEvent_t event) {
  return [event](cudaStream_t stream) { return cudaEventRecord(event, stream); };
}

Action waiting(cudaEvent_t event) {
  return [event](cudaStream_t stream) { return cudaStreamWaitEvent(stream, event, 0); };
}

cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                size_t count, cudaGraphNodeType type, Action action) {
  if (!node || !graphs().has(graph) || (count && !dependencies)) return cudaErrorInvalidValue;
  *node = append_node(*graph, type, {dependencies, dependencies + count}, std::move(action));
  return cudaSuccess;
}

template <typename Parameters>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                size_t count, cudaGraphNodeType type, const Parameters* p, const char* function) {
  return api([&] {
    Action action;
    if (cudaError_t error = make_action(p, &action, function)) return error;
    return add(node, graph, dependencies, count, type, action);
  });
}

template <typename Parameters>
cudaError_t set(cudaGraphNode_t node, cudaGraphNodeType type, const Parameters* p,
                const char* function) {
  return api([&] {
    if (!node || node->type != type) return cudaErrorInvalidValue;
    return make_action(p, &node->action, function);
  });
}

template <typename Parameters>
cudaError_t set(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type,
                const Parameters* p, const char* function) {
  return api([&] {
    if (!executables().has(executable)) return cudaErrorInvalidValue;
    for (auto& step : executable->steps) {
      if (step.node == node && step.type == type) return make_action(p, &step.action, function);
    }
    return cudaErrorInvalidValue;
  });
}

}  // namespace
}  // namespace cudacpu

using namespace cudacpu;

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* p) {
  const cudaError_t error =
      add(node, graph, dependencies, count, cudaGraphNodeTypeKernel, p, "cudaGraphAddKernelNode");
  if (error == cudaSuccess) (*node)->kernel = *p;
  return error;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* p) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, p,
             "cudaGraphAddMemcpyNode");
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     void* destination, const void* source, size_t bytes,
                                     cudaMemcpyKind kind) {
  const Copy1D p = {destination, source, bytes, kind};
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, &p,
             "cudaGraphAddMemcpyNode1D");
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* p) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeMemset, p,
             "cudaGraphAddMemsetNode");
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* p) {
  return add(node, graph, dependencies, count, cudaGraphNodeTypeHost, p, "cudaGraphAddHostNode");
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return api(
      [&] { return add(node, graph, dependencies, count, cudaGraphNodeTypeEmpty, nullptr); });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return api([&] {
    if (cudaError_t error = check_event(event, "cudaGraphAddEventRecordNode")) return error;
    return add(node, graph, dependencies, count, cudaGraphNodeTypeEventRecord, recording(event));
  });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count,
                                      cudaEvent_t event) {
  return api([&] {
    if (cudaError_t error = check_event(event, "cudaGraphAddEventWaitNode")) return error;
    return add(node, graph, dependencies, count, cudaGraphNodeTypeWaitEvent, waiting(event));
  });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return api([&] {
    if (!graphs().has(child)) return cudaErrorInvalidValue;
    if (has_conditional_nodes(*child)) {
      explain("cudaGraphAddChildGraphNode: a child graph cannot have conditional nodes");
      return cudaErrorInvalidValue;
    }
    return add(
        node, graph, dependencies, count, cudaGraphNodeTypeGraph,
        [steps = steps_of(*child)](cudaStream_t stream) { return run_steps(steps, stream); });
  });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     cudaMemAllocNodeParams* p) {
  return api([&] {
    if (!p || p->bytesize == 0) return cudaErrorInvalidValue;
    const std::shared_ptr<void> block = allocate_for_graph(p->bytesize);
    if (!block) return cudaErrorMemoryAllocation;
    p->dptr = block.get();
    return add(node, graph, dependencies, count, cudaGraphNodeTypeMemAlloc, holding(block));
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    void* pointer) {
  return api([&] {
    if (!is_graph_memory(pointer)) return cudaErrorInvalidValue;
    return add(node, graph, dependencies, count, cudaGraphNodeTypeMemFree, nullptr);
  });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* p) {
  const cudaError_t error = api([&] {
    if (!p || !node || !graphs().has(graph) || (count && !after)) return cudaErrorInvalidValue;
    return plain_edges(edges, count) ? cudaSuccess : cudaErrorNotSupported;
  });
  if (error) return error;
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return cudaGraphAddKernelNode(node, graph, after, count, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(node, graph, after, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return cudaGraphAddMemsetNode(node, graph, after, count, &p->memset);
    case cudaGraphNodeTypeHost:
      return cudaGraphAddHostNode(node, graph, after, count, &p->host);
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(node, graph, after, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(node, graph, after, count);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(node, graph, after, count, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(node, graph, after, count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return cudaGraphAddMemAllocNode(node, graph, after, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(node, graph, after, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
      return api([&] {
        return add_conditional_node(node, graph, {after, after + count}, p->conditional);
      });
  }
  return api([] { return cudaErrorInvalidValue; });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  return api([&] {
    if (!node || !p || node->type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    *p = node->kernel;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  const cudaError_t error = set(node, cudaGraphNodeTypeKernel, p, "cudaGraphKernelNodeSetParams");
  if (error == cudaSuccess) node->kernel = *p;
  return error;
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
  return set(node, cudaGraphNodeTypeMemcpy, p, "cudaGraphMemcpyNodeSetParams");
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                           const void* source, size_t bytes, cudaMemcpyKind kind) {
  const Copy1D p = {destination, source, bytes, kind};
  return set(node, cudaGraphNodeTypeMemcpy, &p, "cudaGraphMemcpyNodeSetParams1D");
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* p) {
  return set(node, cudaGraphNodeTypeMemset, p, "cudaGraphMemsetNodeSetParams");
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* p) {
  return set(node, cudaGraphNodeTypeHost, p, "cudaGraphHostNodeSetParams");
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return set(executable, node, cudaGraphNodeTypeKernel, p, "cudaGraphExecKernelNodeSetParams");
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* p) {
  return set(executable, node, cudaGraphNodeTypeMemcpy, p, "cudaGraphExecMemcpyNodeSetParams");
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* destination, const void* source, size_t bytes,
                                               cudaMemcpyKind kind) {
  const Copy1D p = {destination, source, bytes, kind};
  return set(executable, node, cudaGraphNodeTypeMemcpy, &p, "cudaGraphExecMemcpyNodeSetParams1D");
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* p) {
  return set(executable, node, cudaGraphNodeTypeMemset, p, "cudaGraphExecMemsetNodeSetParams");
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* p) {
  return set(executable, node, cudaGraphNodeTypeHost, p, "cudaGraphExecHostNodeSetParams");
}
