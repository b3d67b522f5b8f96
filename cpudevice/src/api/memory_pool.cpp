// Memory pools.
#include <cstdint>

#include "api/allocate_to.h"
#include "base/call.h"
#include "base/devices.h"
#include "base/handles.h"
#include "streams/stream_state.h"

using namespace cudacpu;

// Pools have no memory of their own: freed memory is returned at once.
struct CUmemPoolHandle_st {
  uint64_t release_threshold = 0;
  int reuse[4] = {0, 1, 1, 1};  // by cudaMemPoolReuse...
};

namespace {

CUmemPoolHandle_st default_pool;

Handles<CUmemPoolHandle_st>& pools() {
  static auto* handles = new Handles<CUmemPoolHandle_st>;
  return *handles;
}
bool is_pool(cudaMemPool_t pool) {
  return pool == &default_pool || pools().has(pool);
}

}  // namespace

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return api([&] {
    if (!is_pool(pool)) return cudaErrorInvalidValue;
    if (cudaError_t error = check_stream(stream, "cudaMallocFromPoolAsync")) return error;
    return allocate_to(pointer, bytes, MemoryKind::kDevice, "cudaMallocFromPoolAsync");
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return api([&] {
    if (!pool) return cudaErrorInvalidValue;
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *pool = &default_pool;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api([&] {
    if (!is_pool(pool) || !value) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrReleaseThreshold) {
      pool->release_threshold = *static_cast<uint64_t*>(value);
    } else if (attribute >= cudaMemPoolReuseFollowEventDependencies &&
               attribute <= cudaMemPoolReuseAllowInternalDependencies) {
      pool->reuse[attribute] = *static_cast<int*>(value);
    } else {
      return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return api([&] {
    if (!is_pool(pool) || !value) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies:
        *static_cast<int*>(value) = pool->reuse[attribute];
        return cudaSuccess;
      case cudaMemPoolAttrReleaseThreshold:
        *static_cast<uint64_t*>(value) = pool->release_threshold;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemCurrent:
      case cudaMemPoolAttrUsedMemHigh:
        *static_cast<uint64_t*>(value) = memory_in_use();
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return api([&] {
    if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned)
      return cudaErrorInvalidValue;
    *pool = pools().add({});
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return api([&] { return pools().remove(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

// Every device can use all of the memory.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                 size_t count) {
  return api([&] {
    if (!is_pool(pool) || (count && !access)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      if (access[i].location.type != cudaMemLocationTypeDevice || !is_device(access[i].location.id))
        return cudaErrorInvalidDevice;
      if (access[i].flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return api([&] {
    if (!flags || !location || !is_pool(pool)) return cudaErrorInvalidValue;
    const bool ours = location->type == cudaMemLocationTypeDevice && is_device(location->id);
    *flags = ours ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return api([&] { return is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}
