// The allocations there are and were, for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "observer.h"
#include "sanitize/findings.h"

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

// Copies, since other threads may allocate.
AllocationInfo allocation_info(int number);
// The number of the live allocation that holds the address, or of a freed one that did, or of the
// nearest; -1.
int find_allocation_number(uintptr_t address);
// All that are live, by number.
std::vector<int> live_allocations();

// malloc and free in a kernel.
void* device_malloc(size_t bytes, const void* site);
void device_free(void* pointer, const void* site);
bool is_device_heap(const void* pointer);

}  // namespace cudacpu::sanitize
