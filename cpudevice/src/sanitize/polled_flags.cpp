#include "sanitize/polled_flags.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cudacpu/runtime.h"
#include "sanitize/order/order.h"

namespace cudacpu::sanitize {
namespace {

// Hash tables in which each address has a single entry, and a newer address evicts the older. A
// flag whose entry was evicted is not recognised, and its race is reported.
constexpr size_t kPlaces = 1024;
size_t place_of(uintptr_t address, unsigned thread) {
  return (address + 0x9E3779B97F4A7C15u * (thread + 1)) * 0x9E3779B97F4A7C15u >> 54;
}

// The last volatile read of a thread at an address.
struct Poll {
  uintptr_t address;
  const void* site;
  uint32_t epoch;
  unsigned thread;
};
Poll polls[kPlaces];

constexpr unsigned kNobody = ~0u;
// What is known of an address in an epoch.
struct Flag {
  uintptr_t address;
  uint32_t epoch;
  unsigned writer;  // the last writer
  unsigned writes;
  uint64_t value;  // of the first write, once a second write has happened
  bool differs;    // another write stored another value
  bool polled;

  // Reads the value that the last write has left.
  void look(size_t bytes) {
    uint64_t left = 0;
    __builtin_memcpy(&left, reinterpret_cast<const void*>(address), bytes);
    if (writes > 1) differs = differs || left != value;
    if (writes == 1) value = left;
  }
};
Flag flags[kPlaces];

Flag& flag_at(uintptr_t address) {
  Flag& flag = flags[place_of(address, 0)];
  if (flag.address != address || flag.epoch != now.epoch)
    flag = {address, now.epoch, kNobody, 0, 0, false, false};
  return flag;
}

// A race that waits for the end of its epoch.
struct Held {
  Report report;
  uintptr_t address;
  uint8_t bytes;
  uint32_t epoch;
  unsigned thread;
  uint3 block;

  bool is_flag() const {
    Flag& flag = flags[place_of(address, 0)];
    if (flag.address != address || flag.epoch != epoch) return false;
    flag.look(bytes);
    return flag.polled && !flag.differs;
  }
};
std::vector<Held>& held() {
  static auto* const list = new std::vector<Held>;
  return *list;
}

void decide(Held& race) {
  if (race.is_flag()) return;
  const auto thread = std::exchange(now.thread, race.thread);
  const auto block = std::exchange(blockIdx, race.block);
  add_finding(race.report);
  now.thread = thread;
  blockIdx = block;
}

}  // namespace

void note_poll(uintptr_t address, const void* site) {
  Poll& poll = polls[place_of(address, now.thread)];
  const bool again = poll.address == address && poll.site == site && poll.epoch == now.epoch &&
                     poll.thread == now.thread;
  poll = {address, site, now.epoch, now.thread};
  if (!again) return;
  Flag& flag = flag_at(address);
  if (flag.writer != now.thread) flag.polled = true;
}

void note_flag_write(uintptr_t address, size_t bytes) {
  Flag& flag = flag_at(address);
  flag.look(bytes);
  ++flag.writes;
  flag.writer = now.thread;
}

void hold(const Report& report, uintptr_t address, size_t bytes) {
  constexpr size_t kMostHeld = 256;
  if (held().size() >= kMostHeld) settle_all_flags();
  held().push_back({report, address, static_cast<uint8_t>(bytes), now.epoch, now.thread, blockIdx});
}

bool is_held(uintptr_t address, const void* site) {
  return std::any_of(held().begin(), held().end(), [&](const Held& race) {
    return race.address == address && race.epoch == now.epoch && race.report.place.pc == site;
  });
}

void settle_flags(uint32_t epoch) {
  auto& list = held();
  const auto ended = std::stable_partition(list.begin(), list.end(),
                                           [&](const Held& race) { return race.epoch != epoch; });
  std::for_each(ended, list.end(), decide);
  list.erase(ended, list.end());
}

void settle_all_flags() {
  for (Held& race : held())
    decide(race);
  held().clear();
}

}  // namespace cudacpu::sanitize
