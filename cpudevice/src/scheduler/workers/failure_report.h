// Writes the sentence about a failed launch.
#pragma once

#include "scheduler/launch/launch.h"

namespace cudacpu {

// Prints what happened, as one sentence, and returns the error to keep.
int report_failure(const Launch& launch);

}  // namespace cudacpu
