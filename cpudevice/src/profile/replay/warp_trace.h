// The traces of a warp's lanes, the warp's clock, and the phases in which the warp waits for loads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "profile/gpu/clocks.h"
#include "profile/gpu/counters.h"
#include "profile/gpu/requests.h"
#include "profile/trace/event.h"

namespace cudacpu::profile {

// The part of a lane's trace that has not been replayed.
struct Lane {
  Event* begin = nullptr;
  const Event* read = nullptr;  // the event to replay next
  Event* next = nullptr;        // behind the last event; stale while the lane records
  uintptr_t frame = 0;          // of the thread: the outermost stack frame
  Event origin = 0;             // see event_origin()
};

// How often a load was executed in the current phase, and where.
struct LoadState {
  uint64_t phase = 0;
  unsigned count = 0;
  uint64_t last = 0, distance = 0;
  bool first_distance = true;
  uint64_t affine_before = 0;  // affine loads of the warp until the last execution
};

// The loads that a warp can have pending at the same time are a phase, at whose end the warp waits.
struct LoadPhases {
  uint64_t count = 0;
  Level furthest = kL1;          // the slowest load of the last phase
  uint64_t waits[kLevels] = {};  // earlier phases, by their slowest load
  bool branch = false;  // the last basic block ends with a branch that depends on a loaded value
  bool from_global = false;  // the last load was from global memory
  uint64_t number = 0;       // the number of the open phase
  bool open = false;
  bool consumed = false;   // the loaded data have been used
  bool dependent = false;  // loads that need the result of the phase's first loads were made
  bool stored = false;     // to shared memory, since the last load
  // Loads of asynchronous copies, for which the warp waits later: since when they are under way,
  // and whether they had arrived by the time of the wait.
  bool copying = false, arrived = false;
  uint64_t copied_at = 0;
  unsigned loads = 0;
  uint32_t lanes = 0;  // when the phase began
  uint64_t affine_loads = 0;
  std::vector<LoadState> sites;
};

struct WarpTrace {
  Lane lanes[kLanes];
  uint32_t present = 0;  // existing lanes
  uint32_t running = 0;  // lanes that will record more before they wait or end
  uint32_t ended = 0;
  uint32_t at_barrier = 0;
  Event* buffer = nullptr;
  LoadPhases phases;
  uint64_t clock = 0;
  uint64_t slept_ns = 0;

  void begin(uint32_t lanes, uint64_t now);

  // Counts warp instructions, in quarters. `alone`: the quarters for which a warp that runs alone
  // is busy.
  void issue(InstructionCounts* counts, unsigned quarters, int active, unsigned alone) {
    counts->chain_quarters += std::min(alone, quarters);
    counts->quarters += quarters;
    counts->lane_quarters += uint64_t{quarters} * active;
    clock += quarters * kClocksPerInstruction / 4;
  }
  void issue(InstructionCounts* counts, unsigned quarters, int active) {
    issue(counts, quarters, active, quarters);
  }

  // ---- phases of loads ----

  // A load by the kernel's site with this number.
  void load(uint32_t site_number, const Request& request, Level furthest);
  // The load before was part of an asynchronous copy.
  void copy();
  // The loaded data are used.
  void consume();
  // Adds the last phase to `waits`.
  void close_phase();

 private:
  void begin_phase(uint32_t request_lanes);
  void wait_for_loads();
  void wait_for_copies();
};

}  // namespace cudacpu::profile
