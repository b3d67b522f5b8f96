// The present and past allocations, for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnostics/observer.h"
#include "sanitize/memory/backtrace.h"

namespace cudacpu::sanitize {

struct AllocationInfo {
  uintptr_t base;
  size_t bytes;
  observe::Memory memory;
  const char* function;
  std::string kernel;  // where malloc was called in a kernel
  Backtrace made, freed;
  bool live;
  // The part that kernels may use, if the harness limited the allocation.
  size_t inner = 0, inner_bytes = SIZE_MAX;
};

// To be called when an allocation begins or ends: opens or closes its shadow.
void add_allocation(AllocationInfo info);
void end_allocation(uintptr_t base, size_t bytes, const Backtrace& trace);
// Only these bytes of an allocation exist for kernels: the other bytes are a guard.
void limit_allocation(uintptr_t begin, size_t bytes);

// Returns a copy, because other threads may allocate.
AllocationInfo allocation_info(int number);
// Returns the number of the live allocation that holds the address, or else of a freed allocation
// at the address, or else of the nearest; -1 without any allocation.
int find_allocation_number(uintptr_t address);
// The function that frees the allocation.
const char* free_function(const AllocationInfo& info);
// Returns the numbers of all live allocations.
std::vector<int> live_allocations();

}  // namespace cudacpu::sanitize
