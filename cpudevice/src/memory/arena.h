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
};

struct MemoryRange {
  uintptr_t begin, end;
};

// Null if `bytes` is more than is left of the simulated memory. `function` names the allocation in
// reports; it must be a literal. `bytes` is not 0.
void* allocate(size_t bytes, MemoryKind kind, const char* function);
// Frees what allocate() returned, if it is of one of the kinds the function is for (pinned or not).
cudaError_t release(void* pointer, bool pinned, const char* function);
// Frees everything: cudaDeviceReset.
void release_all();

// All addresses that allocations may have.
void arena_range(const char** base, size_t* bytes);
bool in_arena(const void* address);
// The nearest allocation (live, else freed) to a device address; false if the address is nowhere
// near the arena.
bool find_allocation(const void* address, Allocation* out);
// The live allocation that holds `address`, or ends there; false if there is none.
bool find_live_allocation(const void* address, Allocation* out, MemoryKind* kind);

size_t total_memory();
size_t memory_in_use();

// What lies in the host's memory and kernels can reach: pinned allocations, by address.
std::vector<MemoryRange> pinned_memory();

}  // namespace cudacpu
