// Device memory, managed memory and pinned memory: allocations in a reserved range of addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda_runtime_api.h"

namespace cudacpu {

enum class MemoryKind { kDevice, kManaged, kPinned };

struct Allocation {
  const char* base;
  size_t bytes;
  const char* kind;  // "cudaMalloc", "cudaMallocManaged", ...
  bool freed;
  int device = 0;  // the current device at the time of the allocation
};

struct MemoryRange {
  uintptr_t begin, end;
};

// Pages of a file in memory that several processes map.
struct SharedPages {
  int file;       // a descriptor
  size_t bytes;   // whole pages
  size_t offset;  // where the allocation begins
  size_t used;    // the allocation's bytes
};

// Returns null if `bytes` exceeds the rest of the simulated memory. `function` names the allocation
// in reports; it must be a literal. `bytes` is not 0.
void* allocate(size_t bytes, MemoryKind kind, const char* function);
// Frees an address that allocate() returned, if the function is for memory of the allocation's kind
// (pinned or not).
cudaError_t release(void* pointer, bool pinned, const char* function);
// Frees everything, for cudaDeviceReset.
void release_all();

// Moves an allocation of device memory, at the same address, into pages that other processes can
// map. `pointer` is the start of the allocation. The descriptor stays open as long as the
// allocation lives.
cudaError_t share(const void* pointer, SharedPages* pages);
// Maps shared pages of another process as an allocation that only release_shared() frees; null if
// the rest of the simulated memory is too small.
void* map_shared(const SharedPages& pages, const char* function);
cudaError_t release_shared(void* pointer, const char* function);

// For memory that a program maps itself (driver/mapping.cpp). Reserves addresses, which
// return_addresses() gives back; 0 if too few are left. `region` is the whole reserved range.
uintptr_t reserve_addresses(size_t bytes, size_t alignment, MemoryRange* region);
void return_addresses(const MemoryRange& region);
// Takes bytes of the simulated memory, or gives bytes back; false if the rest is too small.
bool take_memory(size_t bytes);
void give_memory(size_t bytes);
// The range becomes device memory, or stops being device memory. Adjacent mapped ranges are a
// single piece of memory. `function` is a literal.
void add_mapped(uintptr_t base, size_t bytes, const char* function);
void remove_mapped(uintptr_t base, const char* function);

// The range of all possible addresses of allocations.
void arena_range(const char** base, size_t* bytes);
bool in_arena(const void* address);
// Finds the allocation (live, otherwise freed) nearest to a device address; false for an address
// outside the arena.
bool find_allocation(const void* address, Allocation* out);
// Finds the live allocation that holds `address`, or ends there; false without any.
bool find_live_allocation(const void* address, Allocation* out, MemoryKind* kind);

size_t total_memory();
size_t memory_in_use();

// Pinned memory by address: the allocations in host memory that kernels can access.
std::vector<MemoryRange> pinned_memory();

}  // namespace cudacpu
