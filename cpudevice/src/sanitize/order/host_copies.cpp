#include "sanitize/order/host_copies.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace cudacpu::sanitize {
namespace {

struct HostCopies {
  std::mutex mutex;
  std::vector<HostCopy> list;
};
HostCopies& host_copies() {
  static auto* const instance = new HostCopies;
  return *instance;
}

uintptr_t end_of(const HostCopy& copy) {
  return copy.begin + (copy.height - 1) * copy.pitch + copy.width;
}

bool overlaps(const HostCopy& copy, uintptr_t address, size_t bytes) {
  if (address + bytes <= copy.begin || address >= end_of(copy)) return false;
  if (copy.height == 1 || address < copy.begin) return true;
  const size_t in_row = (address - copy.begin) % copy.pitch;
  return in_row < copy.width || in_row + bytes > copy.pitch;
}

void widen(const HostCopy& copy) {
  host_copies_begin = std::min(host_copies_begin.load(), copy.begin);
  host_copies_end = std::max(host_copies_end.load(), end_of(copy));
}

}  // namespace

std::atomic<uintptr_t> host_copies_begin{UINTPTR_MAX}, host_copies_end{0};

void add_host_copy(const HostCopy& copy) {
  const std::lock_guard<std::mutex> lock(host_copies().mutex);
  host_copies().list.push_back(copy);
  widen(copy);
}

void forget_host_copies(bool (*is_over)(uint32_t operation)) {
  const std::lock_guard<std::mutex> lock(host_copies().mutex);
  auto& list = host_copies().list;
  if (list.empty()) return;
  list.erase(std::remove_if(list.begin(), list.end(),
                            [&](const HostCopy& copy) { return is_over(copy.operation); }),
             list.end());
  host_copies_begin = UINTPTR_MAX;
  host_copies_end = 0;
  for (const HostCopy& copy : list)
    widen(copy);
}

bool find_host_copy(uintptr_t address, size_t bytes, bool write, HostCopy* found) {
  const std::lock_guard<std::mutex> lock(host_copies().mutex);
  const auto& list = host_copies().list;
  const auto first = std::find_if(list.begin(), list.end(), [&](const HostCopy& copy) {
    return (write || copy.write) && overlaps(copy, address, bytes);
  });
  if (first == list.end()) return false;
  *found = *first;
  return true;
}

}  // namespace cudacpu::sanitize
