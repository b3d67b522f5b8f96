// The devices: their number, properties and limits, access to each other, and the reset.
#include <atomic>
#include <cstdio>
#include <cstring>

#include "api/device_properties.h"
#include "base/call.h"
#include "base/devices.h"
#include "diagnostics/observer.h"
#include "memory/arena.h"
#include "memory/location.h"
#include "scheduler/workers/pool.h"
#include "streams/call_in_stream.h"
#include "textures/array.h"
#include "textures/surface.h"
#include "textures/texture.h"

using namespace cudacpu;

namespace {

constexpr int kVersion = CUDART_VERSION;

unsigned int device_flags = cudaDeviceScheduleAuto;
cudaFuncCache cache_config = cudaFuncCachePreferNone;
cudaSharedMemConfig bank_size = cudaSharedMemBankSizeFourByte;
// The limits by cudaLimit; the scheduler keeps the limit of the stack.
size_t limits[] = {0, size_t{1} << 20, size_t{8} << 20, 2, 2048, 64, 0};

cudaError_t check_device(int device) {
  return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice;
}

// Which devices have enabled access to which: bit p of element d, for device d and peer p. Memory
// can be used without enabled access all the same.
std::atomic<unsigned> peers[kMostDevices];

cudaError_t check_peer(int device, int peer) {
  return is_device(device) && is_device(peer) && device != peer ? cudaSuccess
                                                                : cudaErrorInvalidDevice;
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  return api([&] {
    if (!count) return cudaErrorInvalidValue;
    *count = device_count();
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return api([&] {
    if (!device) return cudaErrorInvalidValue;
    *device = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  return api([&] {
    if (cudaError_t error = check_device(device)) return error;
    set_current_device(device);
    return cudaSuccess;
  });
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
    *result = device_properties();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return api([&] {
    if (!value) return cudaErrorInvalidValue;
    if (cudaError_t error = check_device(device)) return error;
    const int answer = device_attribute(attribute);
    if (answer < 0) return cudaErrorInvalidValue;
    *value = answer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  return api([&] {
    if (!value) return cudaErrorInvalidValue;
    if (cudaError_t error = check_peer(device, peer)) return error;
    *value = attribute == cudaDevP2PAttrPerformanceRank ? 0 : 1;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api([&] {
    if (!can) return cudaErrorInvalidValue;
    *can = check_peer(device, peer) == cudaSuccess;
    return is_device(device) && is_device(peer) ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return api([&] {
    if (flags != 0) return cudaErrorInvalidValue;
    if (cudaError_t error = check_peer(current_device(), peer)) return error;
    const unsigned bit = 1u << peer;
    return peers[current_device()].fetch_or(bit) & bit ? cudaErrorPeerAccessAlreadyEnabled
                                                       : cudaSuccess;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return api([&] {
    if (cudaError_t error = check_peer(current_device(), peer)) return error;
    const unsigned bit = 1u << peer;
    return peers[current_device()].fetch_and(~bit) & bit ? cudaSuccess
                                                         : cudaErrorPeerAccessNotEnabled;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return api([&] {
    if (!text || length < 13) return cudaErrorInvalidValue;
    if (cudaError_t error = check_device(device)) return error;
    snprintf(text, static_cast<size_t>(length), "0000:%02x:00.0", static_cast<unsigned>(device));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return api([&] {
    if (!device || !text) return cudaErrorInvalidValue;
    unsigned bus;
    if (sscanf(text, "0000:%2x:00.0", &bus) != 1 || !is_device(static_cast<int>(bus)))
      return cudaErrorInvalidDevice;
    *device = static_cast<int>(bus);
    return cudaSuccess;
  });
}

// Work is hardly ever pending; the call returns the error that launches left.
cudaError_t cudaDeviceSynchronize() {
  return api_after_all_work([] {
    observe::device_synchronized();
    return cudaSuccess;
  });
}

// The reset of one device among several leaves all memory as it is: the devices share their memory.
cudaError_t cudaDeviceReset() {
  wait_for(pending_anywhere());
  set_sticky_error(cudaSuccess);
  set_last_error(cudaSuccess);
  if (device_count() > 1) return cudaSuccess;
  destroy_all_streams_and_events();
  if (destroy_all_textures) destroy_all_textures();
  if (destroy_all_surfaces) destroy_all_surfaces();
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

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found) {
  return api([&] {
    if (!symbol || !function || flags > cudaEnablePerThreadDefaultStream)
      return cudaErrorInvalidValue;
    *function = nullptr;
    if (!found) return cudaErrorSymbolNotFound;
    *found = cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  });
}

cudaError_t cudaProfilerStart() {
  return api([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return api([] { return cudaSuccess; });
}
