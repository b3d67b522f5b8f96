// Allocations: what the host API tells of them, and malloc in kernels.
#include "sanitize/allocations.h"

#include <unwind.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

#include "api.h"
#include "sanitize/findings.h"
#include "sanitize/shadow.h"
#include "scheduler.h"

namespace cudacpu::sanitize {
namespace {

struct Allocations {
  std::mutex mutex;
  std::deque<AllocationInfo> all;
  std::map<uintptr_t, int> live, dead;  // by address; of dead ones that overlap, the latest
};
Allocations& allocations() {
  static auto* const instance = new Allocations;
  return *instance;
}

// The site in the kernel while device_malloc or device_free runs; else null.
thread_local const void* kernel_site;

int at_or_before(const std::map<uintptr_t, int>& list, uintptr_t address) {
  auto after = list.upper_bound(address);
  return after == list.begin() ? -1 : std::prev(after)->second;
}

// How far the address is from an allocation.
size_t distance(const AllocationInfo& info, uintptr_t address) {
  if (address < info.base) return info.base - address;
  return address < info.base + info.bytes ? 0 : address - (info.base + info.bytes);
}

Backtrace here() {
  if (!kernel_site) return backtrace_here();
  Backtrace trace;
  trace.frame[trace.count++] = kernel_site;
  return trace;
}

}  // namespace

Backtrace backtrace_here() {
  Backtrace trace;
  _Unwind_Backtrace(
      [](_Unwind_Context* at, void* data) {
        auto* trace = static_cast<Backtrace*>(data);
        if (const auto pc = _Unwind_GetIP(at))
          trace->frame[trace->count++] = reinterpret_cast<const void*>(pc);
        return trace->count < kMostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &trace);
  return trace;
}

AllocationInfo allocation_info(int number) {
  std::lock_guard<std::mutex> lock(allocations().mutex);
  return allocations().all[static_cast<size_t>(number)];
}

int find_allocation_number(uintptr_t address) {
  Allocations& a = allocations();
  std::lock_guard<std::mutex> lock(a.mutex);
  for (const auto* list : {&a.live, &a.dead}) {
    const int number = at_or_before(*list, address);
    if (number >= 0 && distance(a.all[number], address) == 0) return number;
  }
  int best = -1;
  for (const auto* list : {&a.live, &a.dead}) {
    auto after = list->lower_bound(address);
    for (int number : {at_or_before(*list, address), after == list->end() ? -1 : after->second}) {
      if (number < 0) continue;
      if (best < 0 || distance(a.all[number], address) < distance(a.all[best], address))
        best = number;
    }
  }
  return best;
}

std::vector<int> live_allocations() {
  std::lock_guard<std::mutex> lock(allocations().mutex);
  std::vector<int> numbers;
  for (const auto& [base, number] : allocations().live)
    numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// ---- malloc and free in kernels --------------------------------------------------------------

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
  release(pointer, false, "free");
  kernel_site = nullptr;
}

}  // namespace cudacpu::sanitize

namespace cudacpu::observe {

using namespace cudacpu::sanitize;

void allocated(void* base, size_t bytes, Memory memory, const char* function) {
  prepare_arena();
  Allocations& a = allocations();
  const auto address = reinterpret_cast<uintptr_t>(base);
  if (kernel_site) memory = Memory::kDeviceHeap;
  AllocationInfo info{address, bytes, memory, function, "", here(), {}, true};
  if (context.worker) info.kernel = context.worker->launch->info->name;
  {
    std::lock_guard<std::mutex> lock(a.mutex);
    open_shadow(address, bytes);
    // Only of small allocations in one unit is anything left of what was freed there before.
    arena.forget_records(address, bytes);
    a.dead.erase(a.dead.lower_bound(address), a.dead.lower_bound(address + bytes));
    a.live[address] = static_cast<int>(a.all.size());
    a.all.push_back(std::move(info));
  }
  // Code that is not instrumented may write to memory that the host can reach.
  const bool host = memory == Memory::kManaged || memory == Memory::kPinned;
  arena.set_state(address, bytes, host ? kAllValid : 0xF0);
}

void freed(void* base, size_t bytes, Memory, const char*) {
  Allocations& a = allocations();
  const auto address = reinterpret_cast<uintptr_t>(base);
  const Backtrace trace = here();
  std::lock_guard<std::mutex> lock(a.mutex);
  arena.clear_state(address, bytes, kAllValid);
  auto found = a.live.find(address);
  if (found == a.live.end()) return;
  AllocationInfo& info = a.all[found->second];
  info.live = false;
  info.freed = trace;
  a.dead[address] = found->second;
  const auto next = a.live.erase(found);
  // The units that no other allocation needs.
  uintptr_t first = address / kShadowUnit * kShadowUnit;
  uintptr_t end = (address + bytes + kShadowUnit - 1) / kShadowUnit * kShadowUnit;
  if (next != a.live.begin()) {
    const AllocationInfo& before = a.all[std::prev(next)->second];
    const uintptr_t needed =
        (before.base + before.bytes + kShadowUnit - 1) / kShadowUnit * kShadowUnit;
    first = std::max(first, needed);
  }
  if (next != a.live.end()) end = std::min(end, next->first / kShadowUnit * kShadowUnit);
  if (first < end) close_shadow(first, end);
}

// Nothing changes: registered memory is the host's, and kernels may touch it.
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

}  // namespace cudacpu::observe

// ---- what the harness may declare ------------------------------------------------------------

// Of the allocation that `data` lies in, only these bytes exist for kernels: the rest is a guard.
extern "C" void cudacpu_sanitize_array(void* data, size_t bytes) {
  using namespace cudacpu::sanitize;
  Allocations& a = allocations();
  const auto address = reinterpret_cast<uintptr_t>(data);
  const int number = find_allocation_number(address);
  if (number < 0) return;
  std::lock_guard<std::mutex> lock(a.mutex);
  AllocationInfo& info = a.all[number];
  if (!info.live || address < info.base || address + bytes > info.base + info.bytes) return;
  arena.clear_state(info.base, address - info.base, kAllValid);
  arena.clear_state(address + bytes, info.base + info.bytes - (address + bytes), kAllValid);
  info.inner = address - info.base;
  info.inner_bytes = bytes;
}

// Kernels have yet to write these bytes, whatever they hold.
extern "C" void cudacpu_sanitize_unwritten(void* data, size_t bytes) {
  using namespace cudacpu::sanitize;
  if (arena.has(reinterpret_cast<uintptr_t>(data)))
    arena.clear_state(reinterpret_cast<uintptr_t>(data), bytes, 0x0F);
}
