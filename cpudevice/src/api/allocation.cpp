// Allocation: cudaMalloc and its variants, managed memory's hints, and the amounts of memory.
#include <cstdint>

#include "api/allocate_to.h"
#include "base/call.h"
#include "base/devices.h"
#include "base/error.h"
#include "diagnostics/observer.h"
#include "memory/location.h"
#include "streams/call_in_stream.h"
#include "streams/graph_memory.h"

using namespace cudacpu;

namespace {

constexpr size_t kPitchUnit = 512;

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
  if (location.type == cudaMemLocationTypeDevice) return is_device(location.id);
  return location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma ||
         location.type == cudaMemLocationTypeHostNumaCurrent;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return api([&] { return allocate_to(pointer, bytes, MemoryKind::kDevice, "cudaMalloc"); });
}

cudaError_t cudaFree(void* pointer) {
  return api_after_all_work([&] {
    const cudaError_t error = free_device(pointer, "cudaFree");
    if (pointer && error == cudaSuccess) observe::free_waited();
    return error;
  });
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
  return api_after_all_work(
      [&] { return pointer ? release(pointer, true, "cudaFreeHost") : cudaSuccess; });
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
    if (queue_if_pending(stream, [=] { return cudaFreeAsync(pointer, stream); }))
      return cudaSuccess;
    Allocation memory;
    MemoryKind kind;
    if (find_live_allocation(pointer, &memory, &kind) && memory.base == pointer)
      observe::freeing_in_stream(pointer, memory.bytes, "cudaFreeAsync", stream);
    return free_device(pointer, "cudaFreeAsync");
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return api([&] {
    if (!free_bytes || !total_bytes) return cudaErrorInvalidValue;
    *total_bytes = total_memory();
    *free_bytes = total_memory() - memory_in_use();
    return cudaSuccess;
  });
}

// Host and device have a common memory, so hints are checked and have no effect.
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
