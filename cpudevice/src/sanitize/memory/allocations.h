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
  std::string kernel;  // where malloc was called in one
  Backtrace made, freed;
  bool live;
  // The part that kernels may use, if the harness said so.
  size_t inner = 0, inner_bytes = SIZE_MAX;
};

// An allocation begins or ends: its shadow is opened or closed.
void add_allocation(AllocationInfo info);
void end_allocation(uintptr_t base, size_t bytes, const Backtrace& trace);
// Only these bytes of an allocation exist for kernels: the rest is a guard.
void limit_allocation(uintptr_t begin, size_t bytes);

// Copies, since other threads may allocate.
AllocationInfo allocation_info(int number);
// The number of the live allocation that holds the address, or of a freed one that did, or of the
// nearest; -1.
int find_allocation_number(uintptr_t address);
// All that are live, by number.
std::vector<int> live_allocations();

}  // namespace cudacpu::sanitize
