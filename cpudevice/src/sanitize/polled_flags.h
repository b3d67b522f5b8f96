// Volatile flags that threads poll until another thread sets them, such as
//
//     for (...; i < n && !*found; ...)
//       if (matches(i)) *found = true;
//
// A thread may see the flag early or late, and the program is right either way, so the race is not
// reported within a block either. An address counts as a flag if an instruction of a thread other
// than the last writer reads the address twice between two barriers, and all writes store the same
// value. The elements of a sum whose lanes lack a __syncwarp do not qualify: a thread reads only
// its own element twice, and the written values differ.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sanitize/findings/findings.h"

namespace cudacpu::sanitize {

// A volatile read by the running thread, and a volatile write, both before the access happens.
void note_poll(uintptr_t address, const void* site);
void note_flag_write(uintptr_t address, size_t bytes);

// Keeps the report of a race between a volatile read and a volatile write of the running block
// until the epoch ends, when it is clear whether the address is a flag.
void hold(const Report& report, uintptr_t address, size_t bytes);
// Whether a report of this access is kept already.
bool is_held(uintptr_t address, const void* site);
// A block's epoch has ended, or all epochs have: reports the races at addresses that are no flags.
void settle_flags(uint32_t epoch);
void settle_all_flags();

}  // namespace cudacpu::sanitize
