// The CUDA runtime API as plain functions, also for C programs. Typed conveniences (templates,
// symbols, kernels) are in cuda_runtime.h.
//
// While an error is sticky, every function returns the error, like a GPU whose context is lost.
// Launches and copies are synchronous on the CPU device, so streams order nothing further and an
// *Async call has finished when it returns. Kernels may call the functions marked for the device
// too.
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"

#define CUDART_VERSION 13000

#ifdef __cplusplus
#define CUDACPU_DEFAULT(value) = value
#define CUDACPU_API_INLINE inline
extern "C" {
#else
#define CUDACPU_DEFAULT(value)
#define CUDACPU_API_INLINE static inline
#endif

// ---- errors ----
CUDACPU_HOST_DEVICE cudaError_t cudaGetLastError();
CUDACPU_HOST_DEVICE cudaError_t cudaPeekAtLastError();
CUDACPU_HOST_DEVICE const char* cudaGetErrorName(cudaError_t error);
CUDACPU_HOST_DEVICE const char* cudaGetErrorString(cudaError_t error);

// ---- devices ----
CUDACPU_HOST_DEVICE cudaError_t cudaGetDeviceCount(int* count);
CUDACPU_HOST_DEVICE cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
CUDACPU_HOST_DEVICE cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute,
                                                       int device);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source,
                                      int destination);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
// The names of cudaDeviceSynchronize and cudaDeviceReset before CUDA 4; CUDA 13 has dropped them.
__attribute__((deprecated("use cudaDeviceSynchronize"))) CUDACPU_API_INLINE cudaError_t
cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
__attribute__((deprecated("use cudaDeviceReset"))) CUDACPU_API_INLINE cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
CUDACPU_HOST_DEVICE cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDriverGetVersion(int* version);
// Finds no function, because the runtime has no driver behind it.
cudaError_t cudaGetDriverEntryPointByVersion(
    const char* symbol, void** function, unsigned int version, unsigned long long flags,
    cudaDriverEntryPointQueryResult* found CUDACPU_DEFAULT(nullptr));
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// ---- memory: allocation ----
CUDACPU_HOST_DEVICE cudaError_t cudaMalloc(void** pointer, size_t bytes);
CUDACPU_HOST_DEVICE cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocHost(void** pointer, size_t bytes);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer);
cudaError_t cudaMallocManaged(void** pointer, size_t bytes,
                              unsigned int flags CUDACPU_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access, size_t count);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

// ---- memory of several processes ----
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);

// ---- memory: copies and fills ----
cudaError_t cudaMemcpy(void* destination, const void* source, size_t bytes, cudaMemcpyKind kind);
CUDACPU_HOST_DEVICE cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t bytes,
                                                cudaMemcpyKind kind,
                                                cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height, cudaMemcpyKind kind);
CUDACPU_HOST_DEVICE cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch,
                                                  const void* source, size_t source_pitch,
                                                  size_t width, size_t height, cudaMemcpyKind kind,
                                                  cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters);
CUDACPU_HOST_DEVICE cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters,
                                                  cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t bytes,
                                cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t bytes,
                               size_t offset CUDACPU_DEFAULT(0),
                               cudaMemcpyKind kind CUDACPU_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t bytes,
                                 size_t offset CUDACPU_DEFAULT(0),
                                 cudaMemcpyKind kind CUDACPU_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t bytes,
                                      size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol);
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);
CUDACPU_HOST_DEVICE cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes,
                                                cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
CUDACPU_HOST_DEVICE cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value,
                                                  size_t width, size_t height,
                                                  cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent);
CUDACPU_HOST_DEVICE cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value,
                                                  cudaExtent extent,
                                                  cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location);
cudaError_t cudaMemRangeGetAttribute(void* value, size_t value_bytes,
                                     cudaMemRangeAttribute attribute, const void* pointer,
                                     size_t bytes);

// ---- arrays ----
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f);
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height CUDACPU_DEFAULT(0),
                            unsigned int flags CUDACPU_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* channels,
                              cudaExtent extent, unsigned int flags CUDACPU_DEFAULT(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t destination, size_t x_bytes, size_t y, const void* source,
                              size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t source, size_t x_bytes,
                                size_t y, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t destination, size_t x_bytes, size_t y,
                                const void* source, size_t pitch, size_t width, size_t height,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t destination, size_t x_bytes, size_t y,
                                     const void* source, size_t pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemcpy2DFromArray(void* destination, size_t pitch, cudaArray_const_t source,
                                  size_t x_bytes, size_t y, size_t width, size_t height,
                                  cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, size_t pitch, cudaArray_const_t source,
                                       size_t x_bytes, size_t y, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t destination, size_t destination_x_bytes,
                                     size_t destination_y, cudaArray_const_t source,
                                     size_t source_x_bytes, size_t source_y, size_t width,
                                     size_t height,
                                     cudaMemcpyKind kind CUDACPU_DEFAULT(cudaMemcpyDeviceToDevice));

// ---- textures and surfaces ----
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);

// ---- streams ----
cudaError_t cudaStreamCreate(cudaStream_t* stream);
CUDACPU_HOST_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
CUDACPU_HOST_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
CUDACPU_HOST_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                    unsigned int flags CUDACPU_DEFAULT(0));
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* user_data, unsigned int flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer,
                                     size_t bytes CUDACPU_DEFAULT(0),
                                     unsigned int flags CUDACPU_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data);
cudaError_t cudaCtxResetPersistingL2Cache();

// ---- events ----
cudaError_t cudaEventCreate(cudaEvent_t* event);
CUDACPU_HOST_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
CUDACPU_HOST_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t event);
CUDACPU_HOST_DEVICE cudaError_t cudaEventRecord(cudaEvent_t event,
                                                cudaStream_t stream CUDACPU_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream CUDACPU_DEFAULT(0),
                                     unsigned int flags CUDACPU_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);

// ---- graphs ----
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* edges, size_t dependency_count,
                                          cudaStreamCaptureMode mode);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id CUDACPU_DEFAULT(0),
                                     cudaGraph_t* graph CUDACPU_DEFAULT(0),
                                     const cudaGraphNode_t** dependencies CUDACPU_DEFAULT(0),
                                     const cudaGraphEdgeData** edges CUDACPU_DEFAULT(0),
                                     size_t* dependency_count CUDACPU_DEFAULT(0));
cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
    size_t dependency_count, unsigned int flags CUDACPU_DEFAULT(cudaStreamAddCaptureDependencies));
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaKernelNodeParams* parameters);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t dependency_count,
                                     void* destination, const void* source, size_t bytes,
                                     cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t dependency_count,
                                   const cudaMemsetParams* parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t dependency_count,
                                 const cudaHostNodeParams* parameters);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t dependency_count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t dependency_count,
                                       cudaGraph_t child);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t dependency_count,
                                     cudaMemAllocNodeParams* parameters);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* dependencies, size_t dependency_count,
                                    void* pointer);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies,
                                        size_t dependency_count, cudaEvent_t event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t dependency_count,
                                      cudaEvent_t event);
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                             const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                             size_t dependency_count, cudaGraphNodeParams* parameters);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int default_value CUDACPU_DEFAULT(0),
                                             unsigned int flags CUDACPU_DEFAULT(0));
CUDACPU_DEVICE void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                     size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                         cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                           cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams* parameters);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags CUDACPU_DEFAULT(0));
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* destination,
                                           const void* source, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* destination, const void* source, size_t bytes,
                                               cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int* enabled);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result);
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value);
cudaError_t cudaDeviceGraphMemTrim(int device);

#ifdef __cplusplus
}  // extern "C"
#endif

CUDACPU_API_INLINE cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                                      size_t height) {
  const cudaPitchedPtr made = {pointer, pitch, width, height};
  return made;
}
CUDACPU_API_INLINE cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  const cudaPos made = {x, y, z};
  return made;
}
CUDACPU_API_INLINE cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  const cudaExtent made = {width, height, depth};
  return made;
}

#undef CUDACPU_DEFAULT
#undef CUDACPU_API_INLINE

#ifdef __cplusplus
#include "cudacpu/api/overloads.h"
#endif

#endif
