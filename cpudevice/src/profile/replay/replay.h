// The trace of one warp, and its replay: lanes run one after the other on the CPU device, so each
// leaves a trace of the basic blocks and accesses it went through, and here the traces of a warp's
// lanes are put side by side again and executed in lockstep, as a GPU would.
//
// Lanes that stand at the same place execute together. Where they have parted, the ones at the
// lowest code address go first, and of those in functions called by a divergent part, the
// innermost: so lanes wait for each other where the branches of the code join. A meeting (a
// barrier, __syncwarp, a shuffle) holds lanes until the others have come. That is exact for what
// nvcc compiles structured code to; a compiler may still choose to duplicate code behind a branch.
#pragma once

#include "profile/replay/accesses.h"

namespace cudacpu::profile {

// Executes the events that all lanes have recorded. A lane that still records may be the next to
// go, so the replay stops when such a lane has no events left; with `to_the_end` it does not stop.
void replay(WarpTrace& warp, const Execution& execution, bool to_the_end);

}  // namespace cudacpu::profile
