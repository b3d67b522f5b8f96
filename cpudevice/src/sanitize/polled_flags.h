// Volatile flags that threads ask again and again until another thread sets them, such as
//
//     for (...; i < n && !*found; ...)
//       if (matches(i)) *found = true;
//
// A thread may see such a flag early or late, and the program is right either way, so this race is
// not reported within a block either. A flag is asked for twice by one instruction of a thread that
// did not write there last, between two barriers, and it always gets the same value. The places of
// a sum whose lanes lack a __syncwarp are not like that: a thread asks again only for its own, and
// they get other values each time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sanitize/findings/findings.h"

namespace cudacpu::sanitize {

// A volatile read by the running thread, and a volatile write before it happens.
void note_poll(uintptr_t address, const void* site);
void note_flag_write(uintptr_t address, size_t bytes);

// Keeps the report of a race between a volatile read and a volatile write of the running block,
// until it is clear whether the address is a flag.
void hold(const Report& report, uintptr_t address, size_t bytes);
// Whether one of this access is kept already.
bool is_held(uintptr_t address, const void* site);
// An epoch of a block has ended, or all have: reports the races that are no flags.
void settle_flags(uint32_t epoch);
void settle_all_flags();

}  // namespace cudacpu::sanitize
