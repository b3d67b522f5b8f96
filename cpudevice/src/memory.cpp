// Allocation: cudaMalloc and its kin, managed memory's hints, and how much there is.
#include <cstdint>

#include "api.h"
#include "graph.h"
#include "handles.h"
#include "observer.h"

using namespace cudacpu;

// Pools do nothing here but exist: what is freed goes back at once.
struct CUmemPoolHandle_st {
  uint64_t release_threshold = 0;
  int reuse[4] = {0, 1, 1, 1};  // by cudaMemPoolReuse...
};

namespace {

constexpr size_t kPitchUnit = 512;

CUmemPoolHandle_st default_pool;

cudacpu::Handles<CUmemPoolHandle_st>& pools() {
  static auto* handles = new cudacpu::Handles<CUmemPoolHandle_st>;
  return *handles;
}
bool is_pool(cudaMemPool_t pool) {
  return pool == &default_pool || pools().has(pool);
}

cudaError_t allocate_to(void** pointer, size_t bytes, MemoryKind kind, const char* function) {
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = allocate(bytes, kind, function);
  if (*pointer) return cudaSuccess;
  const size_t total = total_memory(), used = memory_in_use();
  if (bytes > total - used) {
    explain("%s of %zu bytes: the simulated device has %zu bytes, of which %zu are in use",
            function, bytes, total, used);
  } else {
    explain(
        "%s of %zu bytes: the system has no more memory for this process (a limit set with "
        "ulimit?)",
        function, bytes);
  }
  return cudaErrorMemoryAllocation;
}

cudaError_t allocate_rows(void** pointer, size_t* pitch, size_t width, size_t rows,
                          const char* function) {
  if (!pitch || width > SIZE_MAX - kPitchUnit) return cudaErrorInvalidValue;
  *pitch = (width + kPitchUnit - 1) / kPitchUnit * kPitchUnit;
  size_t bytes;
  if (__builtin_mul_overflow(*pitch, rows, &bytes)) return cudaErrorMemoryAllocation;
  return allocate_to(pointer, bytes, MemoryKind::kDevice, function);
}

cudaError_t free_device(void* pointer, const char* function) {
  if (is_graph_memory(pointer)) return cudaSuccess;
  return pointer ? release(pointer, false, function) : cudaSuccess;
}

bool is_managed(const void* pointer, size_t bytes, const char* function) {
  if (locate(pointer).place != Place::kManaged) {
    explain("%s: %p is not managed memory", function, pointer);
    return false;
  }
  return check_range(function, "range", pointer, bytes, Side::kEither);
}

bool is_location(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id == 0;
  return location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma ||
         location.type == cudaMemLocationTypeHostNumaCurrent;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return api([&] { return allocate_to(pointer, bytes, MemoryKind::kDevice, "cudaMalloc"); });
}

cudaError_t cudaFree(void* pointer) {
  return api([&] { return free_device(pointer, "cudaFree"); });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return api([&] { return allocate_to(pointer, bytes, MemoryKind::kPinned, "cudaMallocHost"); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return api([&] {
    constexpr unsigned kFlags =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (flags & ~kFlags) return cudaErrorInvalidValue;
    return allocate_to(pointer, bytes, MemoryKind::kPinned, "cudaHostAlloc");
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return api([&] { return pointer ? release(pointer, true, "cudaFreeHost") : cudaSuccess; });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  return api([&] {
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    return allocate_to(pointer, bytes, MemoryKind::kManaged, "cudaMallocManaged");
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api([&] { return allocate_rows(pointer, pitch, width, height, "cudaMallocPitch"); });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return api([&] {
    size_t rows;
    if (!pointer || __builtin_mul_overflow(extent.height, extent.depth, &rows))
      return cudaErrorInvalidValue;
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return allocate_rows(&pointer->ptr, &pointer->pitch, extent.width, rows, "cudaMalloc3D");
  });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return api([&] {
    if (cudaError_t error = check_stream(stream, "cudaMallocAsync")) return error;
    if (is_capturing(stream)) return capture_allocation(stream, pointer, bytes);
    return allocate_to(pointer, bytes, MemoryKind::kDevice, "cudaMallocAsync");
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return api([&] {
    if (cudaError_t error = check_stream(stream, "cudaFreeAsync")) return error;
    return free_device(pointer, "cudaFreeAsync");
  });
}

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
    if (device != 0) return cudaErrorInvalidDevice;
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

// There is one device, and it can use all of its memory.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* access,
                                 size_t count) {
  return api([&] {
    if (!is_pool(pool) || (count && !access)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      if (access[i].location.type != cudaMemLocationTypeDevice || access[i].location.id != 0)
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
    const bool ours = location->type == cudaMemLocationTypeDevice && location->id == 0;
    *flags = ours ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return api([&] { return is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return api([&] {
    if (!free_bytes || !total_bytes) return cudaErrorInvalidValue;
    *total_bytes = total_memory();
    *free_bytes = total_memory() - memory_in_use();
    return cudaSuccess;
  });
}

// There is one memory, so hints are checked and have no effect.
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream) {
  return api([&] {
    if (flags != 0 || bytes == 0) return cudaErrorInvalidValue;
    if (!is_location(location)) return cudaErrorInvalidDevice;
    if (cudaError_t error = check_stream(stream, "cudaMemPrefetchAsync")) return error;
    if (!is_managed(pointer, bytes, "cudaMemPrefetchAsync")) return cudaErrorInvalidValue;
    observe::prefetched(pointer, bytes, location.type != cudaMemLocationTypeDevice, stream);
    return cudaSuccess;
  });
}

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  return api([&] {
    if (bytes == 0 || advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
      return cudaErrorInvalidValue;
    const bool needs_location =
        advice == cudaMemAdviseSetPreferredLocation || advice >= cudaMemAdviseSetAccessedBy;
    if (needs_location && !is_location(location)) return cudaErrorInvalidDevice;
    return is_managed(pointer, bytes, "cudaMemAdvise") ? cudaSuccess : cudaErrorInvalidValue;
  });
}
