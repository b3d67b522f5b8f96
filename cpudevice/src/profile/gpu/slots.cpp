#include "profile/gpu/slots.h"

#include <algorithm>

namespace cudacpu::profile {

void Slots::reset(size_t count) {
  slots_.assign(count, Slot());
}

size_t Slots::first_free() const {
  size_t first = slots_.size();
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].taken) continue;
    if (first == slots_.size() || slots_[slot].clock < slots_[first].clock) first = slot;
  }
  return first;
}

unsigned Slots::take(uint64_t* clock) {
  size_t slot = first_free();
  *clock = 0;
  if (slot == slots_.size()) {
    slot = 0;  // more blocks at once than the device would hold
  } else {
    *clock = slots_[slot].clock;
  }
  slots_[slot].taken = true;
  return static_cast<unsigned>(slot);
}

void Slots::give(unsigned slot, uint64_t clock) {
  slots_[slot] = {clock, false};
}

uint64_t Slots::earliest() const {
  const size_t slot = first_free();
  return slot == slots_.size() ? kNever : slots_[slot].clock;
}

uint64_t Slots::latest() const {
  uint64_t latest = 0;
  for (const Slot& slot : slots_)
    latest = std::max(latest, slot.clock);
  return latest;
}

}  // namespace cudacpu::profile
