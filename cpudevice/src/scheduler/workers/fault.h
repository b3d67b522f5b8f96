// Signals: faults of the student's code, and the watchdog's time slices.
#pragma once

#include "scheduler/threads/worker.h"

namespace cudacpu {

void install_fault_handlers();  // once per process
void prepare_os_thread();       // once per OS thread that runs kernels: the alternate stack
void signal_worker(Worker& worker);

}  // namespace cudacpu
