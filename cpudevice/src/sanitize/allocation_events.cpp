#include "sanitize/allocation_events.h"

#include <cstdint>
#include <string>

#include "base/error.h"
#include "diagnostics/observer.h"
#include "memory/arena.h"
#include "sanitize/findings/findings.h"
#include "sanitize/memory/allocations.h"
#include "sanitize/memory/shadow.h"
#include "scheduler/threads/worker.h"

namespace cudacpu::sanitize {
namespace {

// The site in the kernel while device_malloc or device_free runs; null otherwise.
thread_local const void* kernel_site;

Backtrace here() {
  if (!kernel_site) return backtrace_here();
  Backtrace trace;
  trace.frame[trace.count++] = kernel_site;
  return trace;
}

}  // namespace

void* device_malloc(size_t bytes, const void* site) {
  NoPreemption guard;
  kernel_site = site;
  void* pointer = bytes ? allocate(bytes, MemoryKind::kDevice, "malloc") : nullptr;
  kernel_site = nullptr;
  return pointer;
}

bool is_device_heap(const void* pointer) {
  if (!arena.has(reinterpret_cast<uintptr_t>(pointer))) return false;
  const int number = find_allocation_number(reinterpret_cast<uintptr_t>(pointer));
  return number >= 0 && allocation_info(number).memory == observe::Memory::kDeviceHeap;
}

void device_free(void* pointer, const void* site) {
  NoPreemption guard;
  kernel_site = site;
  const int number = find_allocation_number(reinterpret_cast<uintptr_t>(pointer));
  if (number >= 0) {
    const AllocationInfo info = allocation_info(number);
    if (info.live && info.memory != observe::Memory::kDeviceHeap) {
      observe::bad_free(pointer, false, "free");
      kernel_site = nullptr;
      return;
    }
  }
  cudacpu::release(pointer, false, "free");
  kernel_site = nullptr;
}

void host_free_of_device_memory(void* pointer, const char* function) {
  NoPreemption guard;
  Report report;
  report.cause = Cause::kHostDevice;
  report.trace = here();
  report.allocation = find_allocation_number(reinterpret_cast<uintptr_t>(pointer));
  report.detail = static_cast<uint64_t>(report.allocation + 1);
  report.sentence = std::string(function) + " of memory that is not the host's";
  if (report.allocation >= 0) {
    report.sentence += std::string(": {allocation}; ") +
                       free_function(allocation_info(report.allocation)) + " gives it back";
  }
  add_finding(report);
}

}  // namespace cudacpu::sanitize

namespace cudacpu::observe {

using namespace cudacpu::sanitize;

void allocated(void* base, size_t bytes, Memory memory, const char* function) {
  prepare_arena();
  const auto address = reinterpret_cast<uintptr_t>(base);
  if (kernel_site) memory = Memory::kDeviceHeap;
  AllocationInfo info{address, bytes, memory, function, "", here(), {}, true};
  if (context.worker) info.kernel = context.worker->launch->info->name;
  add_allocation(std::move(info));
  // Code without instrumentation may write to memory of the host.
  const bool host = memory == Memory::kManaged || memory == Memory::kPinned;
  arena.set_state(address, bytes, host ? kAllValid : 0xF0);
}

void freed(void* base, size_t bytes, Memory, const char*) {
  end_allocation(reinterpret_cast<uintptr_t>(base), bytes, here());
}

// Nothing changes: registered memory belongs to the host, and kernels may use it.
void registered(void*, size_t) {}
void unregistered(void*, size_t) {}

void bad_free(const void* pointer, bool twice, const char* function) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  Report report;
  report.cause = Cause::kDoubleFree;
  const Backtrace trace = here();
  report.allocation = arena.has(address) ? find_allocation_number(address) : -1;
  report.trace = trace;
  report.detail = static_cast<uint64_t>(report.allocation + 1);
  if (twice) {
    report.sentence = std::string(function) + " of memory that was freed before: {allocation}";
  } else if (report.allocation >= 0) {
    report.sentence =
        std::string(function) + " of an address that is not what it frees: {allocation}";
  } else {
    report.sentence = std::string(function) + " of a pointer that no CUDA function allocated";
  }
  NoPreemption guard;
  add_finding(report);
}

void bad_range(const void* pointer, bool wrong_side, const char* sentence) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  prepare_arena();
  Report report;
  report.cause = wrong_side ? Cause::kHostDevice : Cause::kBadAccess;
  report.trace = here();
  report.allocation = arena.has(address) ? find_allocation_number(address) : -1;
  report.sentence = repeatable(sentence) + (report.allocation >= 0 ? "; {allocation}" : "");
  NoPreemption guard;
  add_finding(report);
}

}  // namespace cudacpu::observe

// ---- what the harness may declare ------------------------------------------------------------

// Only these bytes of the allocation that holds `data` exist for kernels: the other bytes are a
// guard.
extern "C" void cudacpu_sanitize_array(void* data, size_t bytes) {
  cudacpu::sanitize::limit_allocation(reinterpret_cast<uintptr_t>(data), bytes);
}

// Marks bytes as not written, whatever their value.
extern "C" void cudacpu_sanitize_unwritten(void* data, size_t bytes) {
  using namespace cudacpu::sanitize;
  if (arena.has(reinterpret_cast<uintptr_t>(data)))
    arena.clear_state(reinterpret_cast<uintptr_t>(data), bytes, 0x0F);
}
