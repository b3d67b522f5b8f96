// Replays the trace of a warp. Lanes run one after the other on the CPU device, so each leaves a
// trace of its basic blocks and accesses; the replay puts the traces of a warp's lanes side by side
// again and executes them in lockstep, as a GPU would.
//
// Lanes at the same place execute together. Of diverged lanes, those at the lowest code address go
// first, and inside functions called by a divergent part, the innermost: so lanes wait for each
// other where the branches of the code join. A meeting (a barrier, __syncwarp, a shuffle) holds
// lanes until the others have come. The order is exact for structured code as nvcc compiles it; a
// compiler may still choose to duplicate code after a branch.
#pragma once

#include "profile/replay/accesses.h"

namespace cudacpu::profile {

// Executes the events that all lanes have recorded. A lane that still records may be the next to
// go, so the replay stops when the events of a recording lane run out; with `to_the_end` the replay
// does not stop.
void replay(WarpTrace& warp, const Execution& execution, bool to_the_end);

}  // namespace cudacpu::profile
