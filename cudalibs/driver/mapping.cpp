// The driver API's memory in three parts. Addresses come from the arena, pages are a file in
// memory, which is mapped at the addresses, as often as the program likes.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "common/core.h"
#include "cuda.h"
#include "cudacpu/runtime.h"
#include "driver/result.h"

using cudacpu::pointer_to;

namespace {

constexpr size_t kGranularity = size_t{2} << 20;  // as on NVIDIA's GPUs

// Pages, until the handle is released and no mapping has the pages.
struct Pages {
  int file;
  size_t bytes;
  explicit Pages(size_t b) : file(memfd_create("cudacpu", MFD_CLOEXEC)), bytes(b) {}
  ~Pages() {
    if (file >= 0) close(file);
    cudacpu::give_memory(bytes);
  }
};

struct Mapping {
  size_t bytes;
  std::shared_ptr<Pages> pages;
  CUmemAccess_flags access;
};

struct Reservation {
  size_t bytes;
  cudacpu::MemoryRange region;
};

struct State {
  std::mutex mutex;
  std::map<uintptr_t, Reservation> reservations;
  std::map<uintptr_t, Mapping> mappings;
  std::map<CUmemGenericAllocationHandle, std::shared_ptr<Pages>> handles;
  CUmemGenericAllocationHandle next = 1;
};

// Never destroyed: a destructor of the program may still use the State.
State& state() {
  static auto* instance = new State;
  return *instance;
}

bool fits(size_t size) {
  return size % kGranularity == 0;
}

// Calls a function, which no other thread's call interrupts.
template <typename Function>
CUresult locked(Function function) {
  cudacpu::NoPreemption guard;
  std::lock_guard<std::mutex> lock(state().mutex);
  return function(state());
}

bool is_reserved(State& s, uintptr_t address, size_t bytes) {
  const auto found = cudacpu::at_or_before(s.reservations, address);
  if (found == s.reservations.end()) return false;
  const auto& [base, reservation] = *found;
  return address - base <= reservation.bytes && bytes <= reservation.bytes - (address - base);
}

bool is_free(State& s, uintptr_t address, size_t bytes) {
  auto next = s.mappings.lower_bound(address);
  if (next != s.mappings.end() && next->first < address + bytes) return false;
  return next == s.mappings.begin() ||
         std::prev(next)->first + std::prev(next)->second.bytes <= address;
}

// Whether whole mappings, and nothing else, fill the range.
bool is_mapped(State& s, uintptr_t address, size_t bytes) {
  const uintptr_t end = address + bytes;
  for (auto next = s.mappings.find(address); next != s.mappings.end(); ++next) {
    if (next->first != address) return false;
    address += next->second.bytes;
    if (address >= end) return address == end;
  }
  return false;
}

bool set_access(uintptr_t base, Mapping& mapping, CUmemAccess_flags access) {
  const int protection = access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? PROT_READ | PROT_WRITE
                         : access == CU_MEM_ACCESS_FLAGS_PROT_READ    ? PROT_READ
                                                                      : PROT_NONE;
  if (mprotect(reinterpret_cast<void*>(base), mapping.bytes, protection) != 0) return false;
  const bool was = mapping.access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  const bool is = access != CU_MEM_ACCESS_FLAGS_PROT_NONE;
  if (is && !was) cudacpu::add_mapped(base, mapping.bytes, "cuMemMap");
  if (was && !is) cudacpu::remove_mapped(base, "cuMemSetAccess");
  mapping.access = access;
  return true;
}

CUresult check(const CUmemAllocationProp* properties) {
  if (!properties || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
      !cudacpu::is_device(properties->location.id)) {
    return CUDA_ERROR_INVALID_DEVICE;
  }
  if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    cudacpu::explain("cuMemCreate: the CPU device makes pages of its own memory only");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags) {
  if (!granularity) return CUDA_ERROR_INVALID_VALUE;
  *granularity = kGranularity;
  return check(properties);
}

CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  if (!pointer || bytes == 0 || !fits(bytes) || flags != 0 || (alignment & (alignment - 1)) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  return locked([&](State& s) {
    Reservation made{bytes, {}};
    const uintptr_t base = cudacpu::reserve_addresses(
        bytes, alignment > kGranularity ? alignment : kGranularity, &made.region);
    if (!base) return CUDA_ERROR_OUT_OF_MEMORY;
    s.reservations[base] = made;
    *pointer = base;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes) {
  return locked([&](State& s) {
    const auto found = s.reservations.find(pointer);
    if (found == s.reservations.end() || found->second.bytes != bytes ||
        !is_free(s, pointer, bytes)) {
      cudacpu::explain("cuMemAddressFree: %p and %zu bytes are not a reservation without mappings",
                       pointer_to<void>(pointer), bytes);
      return CUDA_ERROR_INVALID_VALUE;
    }
    cudacpu::return_addresses(found->second.region);
    s.reservations.erase(found);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* pages, size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  if (!pages || bytes == 0 || !fits(bytes) || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = check(properties)) return error;
  return locked([&](State& s) {
    if (!cudacpu::take_memory(bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
    auto made = std::make_shared<Pages>(bytes);
    if (made->file < 0 || ftruncate(made->file, static_cast<off_t>(bytes)) != 0)
      return CUDA_ERROR_OUT_OF_MEMORY;
    *pages = s.next++;
    s.handles[*pages] = made;
    return CUDA_SUCCESS;
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle pages) {
  return locked(
      [&](State& s) { return s.handles.erase(pages) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset,
                  CUmemGenericAllocationHandle pages, unsigned long long flags) {
  return locked([&](State& s) {
    const auto found = s.handles.find(pages);
    if (found == s.handles.end() || bytes == 0 || !fits(bytes) || !fits(offset) || flags != 0)
      return CUDA_ERROR_INVALID_VALUE;
    const size_t room = found->second->bytes;
    if (offset > room || bytes > room - offset) {
      cudacpu::explain("cuMemMap: the pages are %zu bytes, not %zu bytes from %zu on", room, bytes,
                       offset);
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (!fits(pointer) || !is_reserved(s, pointer, bytes) || !is_free(s, pointer, bytes)) {
      cudacpu::explain("cuMemMap: the %zu bytes at %p are not reserved, or are mapped already",
                       bytes, pointer_to<void>(pointer));
      return CUDA_ERROR_INVALID_VALUE;
    }
    if (mmap(pointer_to<void>(pointer), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED,
             found->second->file, static_cast<off_t>(offset)) == MAP_FAILED) {
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
    s.mappings[pointer] = {bytes, found->second, CU_MEM_ACCESS_FLAGS_PROT_NONE};
    return CUDA_SUCCESS;
  });
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes) {
  if (const cudaError_t error = cudacpu::wait_for(cudacpu::pending_anywhere()))
    return cudacpu::result(error);
  return locked([&](State& s) {
    if (!is_mapped(s, pointer, bytes)) {
      cudacpu::explain("cuMemUnmap: the %zu bytes at %p are not whole mappings", bytes,
                       pointer_to<void>(pointer));
      return CUDA_ERROR_INVALID_VALUE;
    }
    const auto first = s.mappings.find(pointer), last = s.mappings.lower_bound(pointer + bytes);
    for (auto mapping = first; mapping != last; ++mapping) {
      if (mapping->second.access != CU_MEM_ACCESS_FLAGS_PROT_NONE)
        cudacpu::remove_mapped(mapping->first, "cuMemUnmap");
    }
    mmap(pointer_to<void>(pointer), bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    s.mappings.erase(first, last);
    return CUDA_SUCCESS;
  });
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const CUmemAccessDesc* access,
                        size_t count) {
  if (!access || count == 0) return CUDA_ERROR_INVALID_VALUE;
  return locked([&](State& s) {
    if (!is_mapped(s, pointer, bytes)) {
      cudacpu::explain("cuMemSetAccess: the %zu bytes at %p are not whole mappings", bytes,
                       pointer_to<void>(pointer));
      return CUDA_ERROR_INVALID_VALUE;
    }
    // All devices share a single memory: the widest access holds for each device.
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    for (size_t i = 0; i < count; ++i)
      flags = access[i].flags > flags ? access[i].flags : flags;
    const auto last = s.mappings.lower_bound(pointer + bytes);
    for (auto mapping = s.mappings.find(pointer); mapping != last; ++mapping) {
      if (!set_access(mapping->first, mapping->second, flags)) return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                        CUdeviceptr pointer) {
  if (!flags || !location) return CUDA_ERROR_INVALID_VALUE;
  return locked([&](State& s) {
    const auto found = cudacpu::at_or_before(s.mappings, pointer);
    if (found == s.mappings.end()) return CUDA_ERROR_INVALID_VALUE;
    const auto& [base, mapping] = *found;
    if (pointer - base >= mapping.bytes) return CUDA_ERROR_INVALID_VALUE;
    *flags = mapping.access;
    return CUDA_SUCCESS;
  });
}
