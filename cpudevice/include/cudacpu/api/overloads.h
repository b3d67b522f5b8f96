// The functions of the CUDA runtime API with several forms in C++: mostly a form of CUDA 12 and a
// form of CUDA 13.
#pragma once

#include "../../cuda_runtime_api.h"

// CUDA 12 named a device by its ordinal, CUDA 13 by a location.
inline cudaMemLocation cudacpu_location(int device) {
  return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                        cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync_v2(pointer, bytes, cudacpu_location(device), 0, stream);
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                        unsigned int flags, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                 int device) {
  return cudaMemAdvise_v2(pointer, bytes, advice, cudacpu_location(device));
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                 cudaMemLocation location) {
  return cudaMemAdvise_v2(pointer, bytes, advice, location);
}

// The names in CUDA 12 and CUDA 11.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        cudaGraphNode_t*, char*, size_t) {
  return cudaGraphInstantiateWithFlags(executable, graph, 0);
}
// The forms of CUDA 12, without data for edges.
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t count,
                                    cudaGraphNodeParams* parameters) {
  return cudaGraphAddNode(node, graph, dependencies, nullptr, count, parameters);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                size_t* count) {
  return cudaGraphNodeGetDependencies(node, dependencies, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                                  size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, dependents, nullptr, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                            unsigned long long* id, cudaGraph_t* graph,
                                            const cudaGraphNode_t** dependencies, size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                       cudaGraphNode_t* dependencies, size_t count,
                                                       unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphNode_t* error_node,
                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return error;
}
