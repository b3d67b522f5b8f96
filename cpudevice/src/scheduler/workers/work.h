// One worker's part in a launch.
#pragma once

#include "scheduler/threads/worker.h"

namespace cudacpu {

// Runs blocks of the launch on the calling OS thread until no block is left.
void work(Worker& worker, Launch& launch);

}  // namespace cudacpu
