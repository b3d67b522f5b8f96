#include "profile/replay/warp_trace.h"

namespace cudacpu::profile {

void WarpTrace::begin(uint32_t lane_mask, uint64_t now) {
  for (Lane& lane : lanes)
    lane = Lane();
  present = running = lane_mask;
  at_barrier = ended = 0;
  clock = now;
  slept_ns = 0;
  phases.count = 0;
  ++phases.number;
  phases.open = phases.consumed = phases.dependent = phases.stored = false;
  phases.copying = phases.arrived = false;
  phases.furthest = kL1;
  std::fill(phases.waits, phases.waits + kLevels, 0);
  phases.branch = phases.from_global = false;
}

void WarpTrace::close_phase() {
  if (phases.count && !phases.arrived) ++phases.waits[phases.furthest];
  phases.arrived = false;
  phases.furthest = kL1;
}

void WarpTrace::load(uint32_t site_number, const Request& request, Level furthest) {
  if (phases.copying) {
    phases.furthest = std::max(phases.furthest, furthest);
    return;
  }
  if (site_number >= phases.sites.size()) phases.sites.resize(site_number + 1);
  LoadState& state = phases.sites[site_number];
  const bool seen = state.phase == phases.number;
  const bool parted = request.lanes != phases.lanes && (request.lanes & ~phases.lanes) == 0;
  const unsigned overlapping = phases.stored ? kLoadsBeforeStores : kOverlappingLoads;
  const bool waits = seen && state.count >= overlapping;
  const bool empty = !phases.open || phases.consumed || parted || waits;
  if (empty) begin_phase(request.lanes);
  ++phases.loads;

  const uint64_t address = request.address[request.first_lane()];
  bool data_dependent = is_irregular(request);
  if (state.phase == phases.number) {
    const uint64_t distance = address - state.last;
    if (!state.first_distance && distance != state.distance) data_dependent = true;
    state.distance = distance;
    state.first_distance = false;
    ++state.count;
  } else {
    state.phase = phases.number;
    state.count = 1;
    state.first_distance = true;
  }
  state.last = address;
  if (!data_dependent) {
    ++phases.affine_loads;
  } else if (!phases.dependent) {
    phases.dependent = true;
    if (!empty) wait_for_loads();
  } else if (seen && state.affine_before == phases.affine_loads) {
    wait_for_loads();  // only the load itself could have produced the address: a chain
  }
  state.affine_before = phases.affine_loads;
  phases.furthest = std::max(phases.furthest, furthest);
}

// If all loads of the phase belong to copies, the warp goes on.
void WarpTrace::copy() {
  if (!phases.open || phases.consumed || phases.copying || phases.loads != 1) return;
  phases.copying = true;
  clock -= kClocksPerLoadPhase;
  phases.copied_at = clock;
}

void WarpTrace::consume() {
  wait_for_copies();
  if (phases.open) phases.consumed = true;
}

void WarpTrace::begin_phase(uint32_t request_lanes) {
  wait_for_copies();
  ++phases.number;
  phases.loads = 0;
  phases.open = true;
  phases.consumed = phases.dependent = phases.stored = false;
  phases.lanes = request_lanes;
  wait_for_loads();
}

void WarpTrace::wait_for_loads() {
  close_phase();
  ++phases.count;
  clock += kClocksPerLoadPhase;
}

// Subtracts the work since the copies began from the wait.
void WarpTrace::wait_for_copies() {
  if (!phases.copying) return;
  phases.copying = false;
  const uint64_t since = clock - phases.copied_at;
  phases.arrived = since >= kClocksPerWait[phases.furthest];
  if (phases.arrived) {
    --phases.count;
  } else {
    clock += kClocksPerLoadPhase - since;
  }
}

}  // namespace cudacpu::profile
