// Device memory, managed memory and pinned memory: allocations in one reserved range of addresses.
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
  int device = 0;  // the current one when it was made
};

struct MemoryRange {
  uintptr_t begin, end;
};

// Pages of a file in memory that several processes map.
struct SharedPages {
  int file;       // a descriptor
  size_t bytes;   // whole pages
  size_t offset;  // where the allocation begins
  size_t used;    // its bytes
};

// Returns null if `bytes` exceeds the rest of the simulated memory. `function` names the allocation
// in reports; it must be a literal. `bytes` is not 0.
void* allocate(size_t bytes, MemoryKind kind, const char* function);
// Frees an address that allocate() returned, if the function is for memory of its kind (pinned or
// not).
cudaError_t release(void* pointer, bool pinned, const char* function);
// Frees everything, for cudaDeviceReset.
void release_all();

// Moves an allocation of device memory into pages that other processes can map; its address stays.
// `pointer` is its start. The descriptor stays open as long as the allocation lives.
cudaError_t share(const void* pointer, SharedPages* pages);
// Maps such pages of another process as an allocation that only release_shared() frees; null if the
// rest of the simulated memory is too small.
void* map_shared(const SharedPages& pages, const char* function);
cudaError_t release_shared(void* pointer, const char* function);

// For memory that a program maps itself (extras/driver/mapping.cpp). Reserves addresses, which
// return_addresses() gives back; 0 if there are not enough. `region` is everything that they take.
uintptr_t reserve_addresses(size_t bytes, size_t alignment, MemoryRange* region);
void return_addresses(const MemoryRange& region);
// Takes bytes of the simulated memory, or gives them back; false if the rest is too small.
bool take_memory(size_t bytes);
void give_memory(size_t bytes);
// The range is device memory from now on, or is none any more. Such ranges side by side are one
// piece of memory. `function` is a literal.
void add_mapped(uintptr_t base, size_t bytes, const char* function);
void remove_mapped(uintptr_t base, const char* function);

// The range of all addresses that allocations may have.
void arena_range(const char** base, size_t* bytes);
bool in_arena(const void* address);
// Finds the allocation (live, otherwise freed) nearest to a device address; false if the address is
// outside of the arena.
bool find_allocation(const void* address, Allocation* out);
// Finds the live allocation that holds `address`, or ends there; false if there is none.
bool find_live_allocation(const void* address, Allocation* out, MemoryKind* kind);

size_t total_memory();
size_t memory_in_use();

// The allocations in host memory that kernels can access: pinned ones, by address.
std::vector<MemoryRange> pinned_memory();

}  // namespace cudacpu
