#include "sanitize/memory/allocations.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

#include "base/map_search.h"
#include "sanitize/memory/shadow.h"

namespace cudacpu::sanitize {
namespace {

struct Allocations {
  std::mutex mutex;
  std::deque<AllocationInfo> all;
  std::map<uintptr_t, int> live, dead;  // by address; among overlapping dead ones, the latest
};
Allocations& allocations() {
  static auto* const instance = new Allocations;
  return *instance;
}

int number_at_or_before(const std::map<uintptr_t, int>& list, uintptr_t address) {
  const auto found = at_or_before(list, address);
  return found == list.end() ? -1 : found->second;
}

// Distance in bytes from an address to an allocation.
size_t distance(const AllocationInfo& info, uintptr_t address) {
  if (address < info.base) return info.base - address;
  return address < info.base + info.bytes ? 0 : address - (info.base + info.bytes);
}

}  // namespace

void add_allocation(AllocationInfo info) {
  Allocations& a = allocations();
  const uintptr_t address = info.base;
  const size_t bytes = info.bytes;
  std::lock_guard<std::mutex> lock(a.mutex);
  open_shadow(address, bytes);
  // A freed unit has no records left; a small allocation may share a unit that is still in use.
  arena.forget_records(address, bytes);
  a.dead.erase(a.dead.lower_bound(address), a.dead.lower_bound(address + bytes));
  a.live[address] = static_cast<int>(a.all.size());
  a.all.push_back(std::move(info));
}

void end_allocation(uintptr_t address, size_t bytes, const Backtrace& trace) {
  Allocations& a = allocations();
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

void limit_allocation(uintptr_t address, size_t bytes) {
  Allocations& a = allocations();
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

AllocationInfo allocation_info(int number) {
  std::lock_guard<std::mutex> lock(allocations().mutex);
  return allocations().all[static_cast<size_t>(number)];
}

int find_allocation_number(uintptr_t address) {
  Allocations& a = allocations();
  std::lock_guard<std::mutex> lock(a.mutex);
  for (const auto* list : {&a.live, &a.dead}) {
    const int number = number_at_or_before(*list, address);
    if (number >= 0 && distance(a.all[number], address) == 0) return number;
  }
  int best = -1;
  for (const auto* list : {&a.live, &a.dead}) {
    auto after = list->lower_bound(address);
    for (int number :
         {number_at_or_before(*list, address), after == list->end() ? -1 : after->second}) {
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

const char* free_function(const AllocationInfo& info) {
  switch (info.memory) {
    case observe::Memory::kPinned:
      return "cudaFreeHost";
    case observe::Memory::kDeviceHeap:
      return "free() in a kernel";
    default:
      if (strcmp(info.function, "cuMemMap") == 0) return "cuMemUnmap";
      return strstr(info.function, "Array") ? "cudaFreeArray" : "cudaFree";
  }
}

}  // namespace cudacpu::sanitize
