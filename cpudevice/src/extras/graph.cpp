// Graphs, built by hand or by capturing streams.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "api/launch.h"
#include "base/call.h"
#include "base/error.h"
#include "base/handles.h"
#include "cudacpu/kernel_api.h"
#include "scheduler/workers/run_launch.h"
#include "streams/capture.h"
#include "streams/graph_memory.h"
#include "streams/stream_state.h"

using namespace cudacpu;

// The result of cudaGraphInstantiate: the nodes in an order in which they can run. `node` is the
// original node, for the functions that change it.
struct CUgraphExec_st {
  struct Step {
    cudaGraphNode_t node;
    cudaGraphNodeType type;
    CUgraphNode_st::Action action;
  };
  std::vector<Step> steps;
};

namespace cudacpu {
namespace {

using Dependencies = std::vector<cudaGraphNode_t>;

Handles<CUgraph_st>& graphs() {
  static auto* handles = new Handles<CUgraph_st>;
  return *handles;
}
Handles<CUgraphExec_st>& executables() {
  static auto* handles = new Handles<CUgraphExec_st>;
  return *handles;
}

cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                size_t count, cudaGraphNodeType type, CUgraphNode_st::Action action) {
  if (!node || !graphs().has(graph) || (count && !dependencies)) return cudaErrorInvalidValue;
  *node = append_node(*graph, type, {dependencies, dependencies + count}, std::move(action));
  return cudaSuccess;
}

// Returns the steps of a graph, each after those on which it depends; none if that is impossible.
std::vector<CUgraphExec_st::Step> steps_of(const CUgraph_st& graph) {
  std::vector<CUgraphExec_st::Step> steps;
  std::set<cudaGraphNode_t> done;
  for (bool progress = true; progress && done.size() < graph.nodes.size();) {
    progress = false;
    for (const auto& node : graph.nodes) {
      if (done.count(node.get())) continue;
      const bool ready = std::all_of(node->after.begin(), node->after.end(),
                                     [&](cudaGraphNode_t other) { return done.count(other); });
      if (!ready) continue;
      steps.push_back({node.get(), node->type, node->action});
      done.insert(node.get());
      progress = true;
    }
  }
  if (done.size() < graph.nodes.size()) steps.clear();
  return steps;
}

cudaError_t run(const std::vector<CUgraphExec_st::Step>& steps, cudaStream_t stream) {
  for (const auto& step : steps) {
    if (!step.action) continue;
    if (cudaError_t error = step.action(stream)) return error;
  }
  return cudaSuccess;
}

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

// The arguments are copied now.
cudaError_t kernel_action(const cudaKernelNodeParams* p, const char* function,
                          CUgraphNode_st::Action* action) {
  if (!p || !p->func || p->extra) return cudaErrorInvalidValue;
  const KernelHandle kernel = find_kernel(p->func);
  if (!kernel.info) {
    explain("%s: the pointer does not say which kernel it is; pass (void*)kernel", function);
    return cudaErrorInvalidDeviceFunction;
  }
  auto launch = store_launch(kernel, {p->gridDim, p->blockDim, p->sharedMemBytes, nullptr, false},
                             p->kernelParams);
  if (!launch) return cudaErrorInvalidConfiguration;
  *action = [launch = *launch](cudaStream_t stream) {
    return static_cast<cudaError_t>(run_stored(launch, stream));
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

}  // namespace
}  // namespace cudacpu

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return api([&] {
    if (cudaError_t error = check_stream(stream, "cudaStreamBeginCapture")) return error;
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
      explain("cudaStreamBeginCapture: the default stream cannot be captured");
      return cudaErrorStreamCaptureUnsupported;
    }
    if (is_capturing(stream)) return cudaErrorIllegalState;
    stream->capture = {graphs().add({}), stream, {}};
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return api([&] {
    if (!graph) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaStreamEndCapture")) return error;
    if (!is_capturing(stream)) return cudaErrorIllegalState;
    if (stream->capture.origin != stream) return cudaErrorStreamCaptureUnmatched;
    *graph = stream->capture.graph;
    // Streams that joined the capture must have been joined again.
    std::set<cudaGraphNode_t> reached(stream->capture.last.begin(), stream->capture.last.end());
    for (auto node = (*graph)->nodes.rbegin(); node != (*graph)->nodes.rend(); ++node) {
      if (reached.count(node->get())) reached.insert((*node)->after.begin(), (*node)->after.end());
    }
    const bool joined = reached.size() == (*graph)->nodes.size();
    end_capture(*graph);
    if (joined) return cudaSuccess;
    explain("cudaStreamEndCapture: a stream that the capture forked into was not joined again");
    graphs().remove(*graph);
    *graph = nullptr;
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

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  return api([&] {
    if (!mode) return cudaErrorInvalidValue;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return api([&] {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = graphs().add({});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api([&] { return graphs().remove(graph) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
  return api([&] {
    if (!copy || !graphs().has(original)) return cudaErrorInvalidValue;
    *copy = graphs().add(clone(*original));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* p) {
  return api([&] {
    CUgraphNode_st::Action action;
    if (cudaError_t error = kernel_action(p, "cudaGraphAddKernelNode", &action)) return error;
    if (cudaError_t error = add(node, graph, dependencies, count, cudaGraphNodeTypeKernel, action))
      return error;
    (*node)->kernel = *p;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* p) {
  return api([&] {
    if (!p) return cudaErrorInvalidValue;
    return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy,
               [copy = *p](cudaStream_t stream) { return cudaMemcpy3DAsync(&copy, stream); });
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count,
                                     void* destination, const void* source, size_t bytes,
                                     cudaMemcpyKind kind) {
  return api([&] {
    return add(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, [=](cudaStream_t stream) {
      return cudaMemcpyAsync(destination, source, bytes, kind, stream);
    });
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* p) {
  return api([&] {
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
      return cudaErrorInvalidValue;
    return add(node, graph, dependencies, count, cudaGraphNodeTypeMemset,
               [what = *p](cudaStream_t stream) { return fill(what, stream); });
  });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* p) {
  return api([&] {
    if (!p || !p->fn) return cudaErrorInvalidValue;
    return add(node, graph, dependencies, count, cudaGraphNodeTypeHost,
               [host = *p](cudaStream_t stream) {
                 return cudaLaunchHostFunc(stream, host.fn, host.userData);
               });
  });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return api(
      [&] { return add(node, graph, dependencies, count, cudaGraphNodeTypeEmpty, nullptr); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count,
                                       cudaGraph_t child) {
  return api([&] {
    if (!graphs().has(child)) return cudaErrorInvalidValue;
    return add(node, graph, dependencies, count, cudaGraphNodeTypeGraph,
               [steps = steps_of(*child)](cudaStream_t stream) { return run(steps, stream); });
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

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  return api([&] {
    if (!graphs().has(graph) || (count && (!from || !to))) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      to[i]->after.push_back(from[i]);
    return cudaSuccess;
  });
}

namespace {

// Returns how many there are, or the first *count of them.
cudaError_t list_nodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, bool roots) {
  if (!graphs().has(graph) || !count) return cudaErrorInvalidValue;
  size_t found = 0;
  for (const auto& node : graph->nodes) {
    if (roots && !node->after.empty()) continue;
    if (nodes && found < *count) nodes[found] = node.get();
    ++found;
  }
  if (nodes) {
    for (size_t i = found; i < *count; ++i)
      nodes[i] = nullptr;
  }
  *count = found;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api([&] { return list_nodes(graph, nodes, count, false); });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return api([&] { return list_nodes(graph, nodes, count, true); });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return api([&] {
    if (!node || !type) return cudaErrorInvalidValue;
    *type = node->type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  return api([&] {
    if (!node || !p || node->type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    *p = node->kernel;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  return api([&] {
    if (!node || node->type != cudaGraphNodeTypeKernel) return cudaErrorInvalidValue;
    if (cudaError_t error = kernel_action(p, "cudaGraphKernelNodeSetParams", &node->action))
      return error;
    node->kernel = *p;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long) {
  return api([&] {
    if (!executable || !graphs().has(graph)) return cudaErrorInvalidValue;
    CUgraphExec_st made{steps_of(*graph)};
    if (made.steps.size() < graph->nodes.size()) {
      explain("cudaGraphInstantiate: the dependencies of the nodes form a cycle");
      return cudaErrorInvalidValue;
    }
    *executable = executables().add(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return api([&] {
    if (!executables().has(executable)) return cudaErrorInvalidValue;
    for (auto& step : executable->steps) {
      if (step.node == node && step.type == cudaGraphNodeTypeKernel)
        return kernel_action(p, "cudaGraphExecKernelNodeSetParams", &step.action);
    }
    return cudaErrorInvalidValue;
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
  if (is_capturing(stream)) {
    capture(stream, cudaGraphNodeTypeGraph,
            [steps = executable->steps](cudaStream_t in) { return run(steps, in); });
    return cudaSuccess;
  }
  return run(executable->steps, stream);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return api(
      [&] { return executables().remove(executable) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType, void* value) {
  return api([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    if (!value) return cudaErrorInvalidValue;
    // All memory that graphs own is in use as long as they exist.
    const unsigned long long bytes = graph_memory_in_use();
    memcpy(value, &bytes, sizeof bytes);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return api([&] { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
