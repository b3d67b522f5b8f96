// The device: how many (one), what it can do, its limits, and its reset.
//
// It poses as a slice of a data-centre GPU, 8 of 132 multiprocessors of an H200 with their share of
// cache and bandwidth, because a student's program asks for these numbers to choose its launches.
#include <cstdio>
#include <cstring>

#include "api.h"
#include "observer.h"

using namespace cudacpu;

namespace {

constexpr int kVersion = CUDART_VERSION;
constexpr int kClockKilohertz = 1980000;
constexpr int kMemoryClockKilohertz = 3125000;
constexpr int kMemoryBusBits = 6144 * kMultiprocessors / 132;
constexpr int kL2Bytes = 3 << 20;
constexpr int kRegisters = 65536;
constexpr int kReservedShared = 1024;

unsigned int device_flags = cudaDeviceScheduleAuto;
cudaFuncCache cache_config = cudaFuncCachePreferNone;
cudaSharedMemConfig bank_size = cudaSharedMemBankSizeFourByte;
// By cudaLimit; the stack's is the scheduler's.
size_t limits[] = {0, size_t{1} << 20, size_t{8} << 20, 2, 2048, 64, 0};

cudaError_t check_device(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaDeviceProp properties() {
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
  p.kernelExecTimeoutEnabled = 1;
  p.computeMode = cudaComputeModeDefault;
  p.singleToDoublePrecisionPerfRatio = 2;
  return p;
}

// -1 for what is no attribute.
int attribute_value(cudaDeviceAttr attribute) {
  const cudaDeviceProp p = properties();
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
    case cudaDevAttrClusterLaunch:
      return 0;
  }
  return -1;
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  return api([&] {
    if (!count) return cudaErrorInvalidValue;
    *count = 1;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return api([&] {
    if (!device) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return api([&] { return check_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return api([&] { return check_device(device); });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return api([&] {
    for (int i = 0; i < count; ++i) {
      if (cudaError_t error = check_device(devices[i])) return error;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return api([&] {
    if (!device || !wanted) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* result, int device) {
  return api([&] {
    if (!result) return cudaErrorInvalidValue;
    if (cudaError_t error = check_device(device)) return error;
    *result = properties();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api([&] {
    if (!value) return cudaErrorInvalidValue;
    if (cudaError_t error = check_device(device)) return error;
    const int answer = attribute_value(attribute);
    if (answer < 0) return cudaErrorInvalidValue;
    *value = answer;
    return cudaSuccess;
  });
}

// With one device there is no peer.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  return api([&] { return value ? cudaErrorInvalidDevice : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&] {
    if (!can) return cudaErrorInvalidValue;
    *can = 0;
    return device == 0 && peer == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return api([] { return cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
  return api([] { return cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return api([&] {
    if (!text || length < 13) return cudaErrorInvalidValue;
    if (cudaError_t error = check_device(device)) return error;
    snprintf(text, static_cast<size_t>(length), "0000:00:00.0");
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return api([&] {
    if (!device || !text) return cudaErrorInvalidValue;
    *device = 0;
    return strcmp(text, "0000:00:00.0") == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

// Launches are synchronous: what there is to wait for is only the error they left.
cudaError_t cudaDeviceSynchronize() {
  return api([] {
    observe::device_synchronized();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceReset() {
  set_sticky_error(cudaSuccess);
  set_last_error(cudaSuccess);
  destroy_all_streams_and_events();
  destroy_all_textures();
  destroy_all_surfaces();
  forget_all_arrays();
  unregister_all_host_memory();
  release_all();
  observe::device_reset();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api([&] {
    if (!value) return cudaErrorInvalidValue;
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    *value = limit == cudaLimitStackSize ? stack_limit() : limits[limit];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api([&] {
    if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return cudaErrorUnsupportedLimit;
    if (limit == cudaLimitStackSize) return static_cast<cudaError_t>(set_stack_limit(value));
    limits[limit] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return api([&] {
    if (!config) return cudaErrorInvalidValue;
    *config = cache_config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return api([&] {
    cache_config = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return api([&] {
    if (!config) return cudaErrorInvalidValue;
    *config = bank_size;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return api([&] {
    bank_size = config;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return api([&] {
    if (!flags) return cudaErrorInvalidValue;
    *flags = device_flags;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return api([&] {
    if (flags & ~static_cast<unsigned>(cudaDeviceMask)) return cudaErrorInvalidValue;
    device_flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return api([] { return cudaSuccess; });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return api([&] {
    if (!version) return cudaErrorInvalidValue;
    *version = kVersion;
    return cudaSuccess;
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return cudaRuntimeGetVersion(version);
}

cudaError_t cudaProfilerStart() {
  return api([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return api([] { return cudaSuccess; });
}
