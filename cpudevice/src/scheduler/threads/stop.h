// How a worker ends a launch before its blocks have: after a deadlock, a time-out, a trap or a
// failed assertion. stop.cpp also defines kernel_trap() of cudacpu/runtime.h.
#pragma once

#include "scheduler/threads/worker.h"

namespace cudacpu {

// Reports a deadlock: nothing can run any more, and threads of the running block wait.
[[noreturn]] void stop_deadlocked(Worker& worker);
// The watchdog's verdict; `site` is where the thread waits, null if the thread is running.
[[noreturn]] void stop_late(Worker& worker, const void* site);
// The same for a thread that a signal interrupts or that yields: notes where the thread is, and
// stops the thread at the last look.
void look_at_late(Worker& worker);

// Notes where the running thread is: the return addresses that lie in the kernel's file.
void note_frames(CodePlace& place, const CodeRange& code);

}  // namespace cudacpu
