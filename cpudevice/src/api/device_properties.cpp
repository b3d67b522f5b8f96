#include "api/device_properties.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cudacpu/runtime.h"
#include "memory/arena.h"
#include "scheduler/workers/pool.h"

namespace cudacpu {
namespace {

constexpr int kClockKilohertz = 1980000;
constexpr int kMemoryClockKilohertz = 3125000;
constexpr int kMemoryBusBits = 6144 * kMultiprocessors / kMultiprocessorsOfWholeGpu;
constexpr int kL2Bytes = 3 << 20;
constexpr int kRegisters = 65536;
constexpr int kLinearTexels = 1 << 28;  // of a texture on linear memory

template <int kCount>
void set(int (&limits)[kCount], const int (&values)[kCount]) {
  std::copy_n(values, kCount, limits);
}

}  // namespace

cudaDeviceProp device_properties() {
  cudaDeviceProp p = {};
  snprintf(p.name, sizeof(p.name), "CPU device (%d worker%s)", worker_count(),
           worker_count() == 1 ? "" : "s");
  memcpy(p.uuid.bytes, "CUDA CPU device", 16);
  p.totalGlobalMem = total_memory();
  p.sharedMemPerBlock = kStaticSharedLimit;
  p.regsPerBlock = kRegisters;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 65536;
  p.major = 8;
  p.minor = 0;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.surfaceAlignment = 512;
  // The sizes of textures and surfaces of compute capability 8.0, by the programming guide.
  p.maxTexture1D = 131072;
  p.maxTexture1DMipmap = 32768;
  set(p.maxTexture2D, {131072, 65536});
  set(p.maxTexture2DMipmap, {32768, 32768});
  set(p.maxTexture2DLinear, {131072, 65000, 2097120});
  set(p.maxTexture2DGather, {32768, 32768});
  set(p.maxTexture3D, {16384, 16384, 16384});
  set(p.maxTexture3DAlt, {8192, 8192, 32768});
  p.maxTextureCubemap = 32768;
  set(p.maxTexture1DLayered, {32768, 2048});
  set(p.maxTexture2DLayered, {32768, 32768, 2048});
  set(p.maxTextureCubemapLayered, {32768, 2046});
  p.maxSurface1D = 32768;
  set(p.maxSurface2D, {131072, 65536});
  set(p.maxSurface3D, {16384, 16384, 16384});
  set(p.maxSurface1DLayered, {32768, 2048});
  set(p.maxSurface2DLayered, {32768, 32768, 2048});
  p.maxSurfaceCubemap = 32768;
  set(p.maxSurfaceCubemapLayered, {32768, 2046});
  p.multiProcessorCount = kMultiprocessors;
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 2;
  p.deviceOverlap = 1;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = kMemoryBusBits;
  p.memoryClockRate = kMemoryClockKilohertz;
  p.clockRate = kClockKilohertz;
  p.l2CacheSize = kL2Bytes;
  p.persistingL2CacheMaxSize = kL2Bytes / 8 * 5;
  p.accessPolicyMaxWindowSize = 128 << 20;
  p.maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = kSharedOptInLimit + kReservedShared;
  p.regsPerMultiprocessor = kRegisters;
  p.managedMemory = 1;
  p.hostNativeAtomicSupported = 1;
  p.concurrentManagedAccess = 1;
  p.directManagedMemAccessFromHost = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = kSharedOptInLimit;
  p.maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
  p.reservedSharedMemPerBlock = kReservedShared;
  p.hostRegisterSupported = 1;
  p.hostRegisterReadOnlySupported = 1;
  p.memoryPoolsSupported = 1;
  p.ipcEventSupported = 1;
  p.clusterLaunch = 1;
  p.kernelExecTimeoutEnabled = 1;
  p.computeMode = cudaComputeModeDefault;
  p.singleToDoublePrecisionPerfRatio = 2;
  return p;
}

int device_attribute(cudaDeviceAttr attribute) {
  const cudaDeviceProp p = device_properties();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX:
      return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY:
      return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ:
      return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX:
      return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY:
      return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ:
      return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return static_cast<int>(p.sharedMemPerBlock);
    case cudaDevAttrTotalConstantMemory:
      return static_cast<int>(p.totalConstMem);
    case cudaDevAttrWarpSize:
      return p.warpSize;
    case cudaDevAttrMaxPitch:
      return static_cast<int>(p.memPitch);
    case cudaDevAttrMaxRegistersPerBlock:
      return p.regsPerBlock;
    case cudaDevAttrClockRate:
      return p.clockRate;
    case cudaDevAttrTextureAlignment:
      return static_cast<int>(p.textureAlignment);
    case cudaDevAttrTexturePitchAlignment:
      return static_cast<int>(p.texturePitchAlignment);
    case cudaDevAttrSurfaceAlignment:
      return static_cast<int>(p.surfaceAlignment);
    case cudaDevAttrMultiProcessorCount:
      return p.multiProcessorCount;
    case cudaDevAttrMemoryClockRate:
      return p.memoryClockRate;
    case cudaDevAttrGlobalMemoryBusWidth:
      return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize:
      return p.l2CacheSize;
    case cudaDevAttrMaxPersistingL2CacheSize:
      return p.persistingL2CacheMaxSize;
    case cudaDevAttrMaxAccessPolicyWindowSize:
      return p.accessPolicyMaxWindowSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount:
      return p.asyncEngineCount;
    case cudaDevAttrComputeCapabilityMajor:
      return p.major;
    case cudaDevAttrComputeCapabilityMinor:
      return p.minor;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return static_cast<int>(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return p.regsPerMultiprocessor;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return p.singleToDoublePrecisionPerfRatio;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return static_cast<int>(p.sharedMemPerBlockOptin);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(p.reservedSharedMemPerBlock);
    case cudaDevAttrMaxTexture1DWidth:
      return p.maxTexture1D;
    case cudaDevAttrMaxTexture2DWidth:
      return p.maxTexture2D[0];
    case cudaDevAttrMaxTexture2DHeight:
      return p.maxTexture2D[1];
    case cudaDevAttrMaxTexture3DWidth:
      return p.maxTexture3D[0];
    case cudaDevAttrMaxTexture3DHeight:
      return p.maxTexture3D[1];
    case cudaDevAttrMaxTexture3DDepth:
      return p.maxTexture3D[2];
    case cudaDevAttrMaxTexture2DLayeredWidth:
      return p.maxTexture2DLayered[0];
    case cudaDevAttrMaxTexture2DLayeredHeight:
      return p.maxTexture2DLayered[1];
    case cudaDevAttrMaxTexture2DLayeredLayers:
      return p.maxTexture2DLayered[2];
    case cudaDevAttrMaxTexture1DLayeredWidth:
      return p.maxTexture1DLayered[0];
    case cudaDevAttrMaxTexture1DLayeredLayers:
      return p.maxTexture1DLayered[1];
    case cudaDevAttrMaxTexture2DGatherWidth:
      return p.maxTexture2DGather[0];
    case cudaDevAttrMaxTexture2DGatherHeight:
      return p.maxTexture2DGather[1];
    case cudaDevAttrMaxTexture3DWidthAlt:
      return p.maxTexture3DAlt[0];
    case cudaDevAttrMaxTexture3DHeightAlt:
      return p.maxTexture3DAlt[1];
    case cudaDevAttrMaxTexture3DDepthAlt:
      return p.maxTexture3DAlt[2];
    case cudaDevAttrMaxTextureCubemapWidth:
      return p.maxTextureCubemap;
    case cudaDevAttrMaxTextureCubemapLayeredWidth:
      return p.maxTextureCubemapLayered[0];
    case cudaDevAttrMaxTextureCubemapLayeredLayers:
      return p.maxTextureCubemapLayered[1];
    case cudaDevAttrMaxSurface1DWidth:
      return p.maxSurface1D;
    case cudaDevAttrMaxSurface2DWidth:
      return p.maxSurface2D[0];
    case cudaDevAttrMaxSurface2DHeight:
      return p.maxSurface2D[1];
    case cudaDevAttrMaxSurface3DWidth:
      return p.maxSurface3D[0];
    case cudaDevAttrMaxSurface3DHeight:
      return p.maxSurface3D[1];
    case cudaDevAttrMaxSurface3DDepth:
      return p.maxSurface3D[2];
    case cudaDevAttrMaxSurface1DLayeredWidth:
      return p.maxSurface1DLayered[0];
    case cudaDevAttrMaxSurface1DLayeredLayers:
      return p.maxSurface1DLayered[1];
    case cudaDevAttrMaxSurface2DLayeredWidth:
      return p.maxSurface2DLayered[0];
    case cudaDevAttrMaxSurface2DLayeredHeight:
      return p.maxSurface2DLayered[1];
    case cudaDevAttrMaxSurface2DLayeredLayers:
      return p.maxSurface2DLayered[2];
    case cudaDevAttrMaxSurfaceCubemapWidth:
      return p.maxSurfaceCubemap;
    case cudaDevAttrMaxSurfaceCubemapLayeredWidth:
      return p.maxSurfaceCubemapLayered[0];
    case cudaDevAttrMaxSurfaceCubemapLayeredLayers:
      return p.maxSurfaceCubemapLayered[1];
    case cudaDevAttrMaxTexture1DLinearWidth:
      return kLinearTexels;
    case cudaDevAttrMaxTexture2DLinearWidth:
      return p.maxTexture2DLinear[0];
    case cudaDevAttrMaxTexture2DLinearHeight:
      return p.maxTexture2DLinear[1];
    case cudaDevAttrMaxTexture2DLinearPitch:
      return p.maxTexture2DLinear[2];
    case cudaDevAttrMaxTexture2DMipmappedWidth:
      return p.maxTexture2DMipmap[0];
    case cudaDevAttrMaxTexture2DMipmappedHeight:
      return p.maxTexture2DMipmap[1];
    case cudaDevAttrMaxTexture1DMipmappedWidth:
      return p.maxTexture1DMipmap;
    case cudaDevAttrComputeMode:
      return p.computeMode;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrKernelExecTimeout:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrHostNativeAtomicSupported:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrDirectManagedMemAccessFromHost:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrHostRegisterReadOnlySupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrIpcEventSupport:
    case cudaDevAttrClusterLaunch:
      return 1;
    case cudaDevAttrIntegrated:
    case cudaDevAttrEccEnabled:
    case cudaDevAttrPciBusId:
    case cudaDevAttrPciDeviceId:
    case cudaDevAttrPciDomainId:
    case cudaDevAttrTccDriver:
    case cudaDevAttrIsMultiGpuBoard:
    case cudaDevAttrMultiGpuBoardGroupID:
    case cudaDevAttrPageableMemoryAccess:
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCooperativeMultiDeviceLaunch:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrSparseCudaArraySupported:
    case cudaDevAttrTimelineSemaphoreInteropSupported:
    case cudaDevAttrGPUDirectRDMASupported:
    case cudaDevAttrMemoryPoolSupportedHandleTypes:
    case cudaDevAttrDeferredMappingCudaArraySupported:
    case cudaDevAttrMpsEnabled:
    case cudaDevAttrHostMemoryPoolsSupported:
      return 0;
  }
  return -1;
}

}  // namespace cudacpu
