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

#include <cstddef>
#include <utility>
#include <vector>

#include "profile/gpu/counters.h"
#include "profile/gpu/parted_sectors.h"
#include "profile/gpu/touched_sectors.h"
#include "profile/trace/basic_blocks.h"

namespace cudacpu::profile {

// One lane's part of the trace that has not been replayed.
struct Lane {
  Event* begin = nullptr;
  const Event* read = nullptr;  // what is replayed next
  Event* next = nullptr;        // behind the last event; stale while the lane records
  uintptr_t frame = 0;          // its outermost stack frame
};

// How often a load was executed in the current phase, and where.
struct LoadState {
  uint64_t phase = 0;
  unsigned count = 0;
  uint64_t last = 0, distance = 0;
  bool first_distance = true;
  uint64_t affine_before = 0;  // affine loads of the warp until the last execution
};

// The loads that a warp can have pending at the same time are one phase; then it waits.
struct LoadPhases {
  uint64_t count = 0;
  Level furthest = kL1;          // the slowest load of the last phase
  uint64_t waits[kLevels] = {};  // phases before the last one, by their slowest load
  bool branch = false;  // the last basic block ends with a branch that depends on a loaded value
  bool from_global = false;  // the last load was from global memory
  uint64_t number = 0;       // the number of the open phase
  bool open = false;
  bool consumed = false;   // something has used what was loaded
  bool dependent = false;  // loads that need the result of the phase's first ones were made
  bool stored = false;     // to shared memory, since the last load
  // Loads of asynchronous copies, for which the warp waits later: since when they are under way,
  // and whether they had arrived by then.
  bool copying = false, arrived = false;
  uint64_t copied_at = 0;
  unsigned loads = 0;
  uint32_t lanes = 0;  // when the phase began
  uint64_t affine_loads = 0;
  std::vector<LoadState> sites;
};

struct WarpTrace {
  Lane lanes[kLanes];
  uint32_t present = 0;  // lanes that exist
  uint32_t running = 0;  // lanes that will record more before they wait or end
  uint32_t ended = 0;
  uint32_t at_barrier = 0;
  Event* buffer = nullptr;
  LoadPhases phases;
  uint64_t clock = 0;
  uint64_t slept_ns = 0;

  void begin(uint32_t lanes, uint64_t now);
  // Adds the last phase to `waits`.
  void close_phase();
};

// Memory of the host that kernels reach over the link: [first, second) each, in order.
using HostPlaces = std::vector<std::pair<uint64_t, uint64_t>>;

// The data of the launch that a warp's replay needs, and the counters that it increments.
struct Execution {
  const BlockTable* table;
  Kernel* kernel;
  Cache* l1;
  Cache* l2;
  Cache* constants;
  TouchedSectors* loaded;
  TouchedSectors* stored;
  PartedSectors* parted;
  std::unordered_map<uint64_t, uint64_t>* atomics;  // by address
  const HostPlaces* on_host;
  uint3 block;
  uint64_t begun;  // how many blocks have begun before this one, in all launches
  unsigned warp;
  uint64_t launch;
};

// Executes the events that all lanes have recorded. A lane that still records may be the next to
// go, so the replay stops when such a lane has no events left; with `to_the_end` it does not stop.
void replay(WarpTrace& warp, const Execution& execution, bool to_the_end);

}  // namespace cudacpu::profile
