// How a worker ends a launch before its blocks have: after a deadlock, a time-out, a trap or a
// failed assertion. kernel_trap() of cudacpu/runtime.h is here too.
#pragma once

#include "scheduler/threads/worker.h"

namespace cudacpu {

// Reports a deadlock: nothing can run any more, and threads of the running block wait.
[[noreturn]] void stop_deadlocked(Worker& worker);
// The watchdog's verdict; `site` is where the thread waits, null if it is running.
[[noreturn]] void stop_late(Worker& worker, const void* site);
// The same for a thread that a signal interrupts or that yields: notes where it is, and stops it at
// the last look.
void look_at_late(Worker& worker);

// Notes where the running thread is: the return addresses that lie in the kernel's file.
void note_frames(CodePlace& place, const CodeRange& code);

}  // namespace cudacpu
