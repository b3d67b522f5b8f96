// Writes the sentence about a failed launch.
#pragma once

#include "scheduler/launch/launch.h"

namespace cudacpu {

// Settles where a thread that took too long was: the line at which most looks found the thread.
void choose_place(Failure& failure);
// Prints what happened, in a sentence, and returns the error to keep.
int report_failure(const Launch& launch);

}  // namespace cudacpu
