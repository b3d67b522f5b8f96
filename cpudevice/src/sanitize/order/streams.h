// The order of launches and copies: streams, events, and what the host has waited for.
#pragma once

#include <cstdint>
#include <string>

#include "diagnostics/observer.h"
#include "sanitize/findings/findings.h"
#include "sanitize/memory/shadow.h"

namespace cudacpu::sanitize {

struct Operation {
  std::string name;  // of the kernel, or of the function that copies
  bool kernel = false;
  Backtrace trace;  // of a copy
  dim3 grid, block;
  uint32_t first_epoch = 0;
};
const Operation& operation(uint32_t number);
uint32_t current_operation();

// Whether the running launch (or the host) is ordered after the operation.
bool launch_waits_for(uint32_t earlier);
bool host_waits_for(uint32_t earlier);

void begin_launch(const Launch& launch, cudaStream_t stream);
void end_launch_in_stream();

// Whether the host has yet to wait for an operation.
bool host_is_behind();
// Host code touches managed or pinned memory.
void check_host_conflict(uintptr_t address, size_t bytes, bool write, Kind kind, const void* site);
// Host code touches memory that an asynchronous copy may read or write (host_copies.h).
void check_host_copies(uintptr_t address, size_t bytes, bool write, const void* site);
// Opens a page of managed memory that is protected while launches are pending; returns false for
// any other page.
bool open_managed_page(uintptr_t address);

}  // namespace cudacpu::sanitize
