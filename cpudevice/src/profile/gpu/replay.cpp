#include "profile/gpu/replay.h"

#include <algorithm>
#include <cstdint>

#include "profile/gpu/clocks.h"
#include "profile/gpu/texels.h"
#include "profile/trace/places.h"

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

namespace {

// From this many lines in a request on, it pays to prefetch what is known of them together.
constexpr int kScattered = 4;
// A multiprocessor looks up one line of its L1 cache per clock, and issues this many instructions
// in that time.
constexpr unsigned kInstructionsPerLine = 4;

class Replay {
 public:
  Replay(WarpTrace& warp, const Execution& execution)
      : warp_(warp), execution_(execution), kernel_(*execution.kernel) {}

  void run(bool to_the_end) {
    sort(warp_.present);
    for (;;) {
      if (!to_the_end && (warp_.running & ~(ready_ | meeting_))) return;
      if (ready_) {
        advance();
      } else if (!meet(meeting_, to_the_end)) {
        return;
      }
    }
  }

 private:
  // Lanes whose next event is the same one, and no meeting.
  struct Place {
    Event event;
    uint32_t lanes;
  };

  // The lanes that are at one place, and how far they have come together. The same events take the
  // same number of words in each lane.
  struct Group {
    int lane[kLanes];
    const Event* from[kLanes];
    int count = 0;
    uint32_t lanes = 0;
    ptrdiff_t words = PTRDIFF_MAX;  // until the first of them has none left
  };

  // Sorts lanes by the event that they have come to. Mostly neighbours are at the same one.
  void sort(uint32_t lanes) {
    Event event = 0;
    uint32_t at_event = 0;
    for (; lanes; lanes &= lanes - 1) {
      const int i = __builtin_ctz(lanes);
      const Lane& lane = warp_.lanes[i];
      if (lane.read == lane.next) continue;
      if (*lane.read != event) {
        add(event, at_event);
        event = *lane.read;
        at_event = 0;
      }
      at_event |= 1u << i;
    }
    add(event, at_event);
  }

  void add(Event event, uint32_t lanes) {
    if (!lanes) return;
    if (kind_of(event) & kMeeting) {
      meeting_ |= lanes;
      return;
    }
    ready_ |= lanes;
    Place* const end = places_ + place_count_;
    Place* const place =
        std::find_if(places_, end, [event](const Place& one) { return one.event == event; });
    if (place == end) places_[place_count_++] = {event, 0};
    place->lanes |= lanes;
  }

  // Executes the lanes that are at the first place, as long as they stay together and it is no
  // other lane's turn.
  void advance() {
    Place* first = places_;
    Event others = ~Event{0};
    for (Place* place = places_ + 1; place < places_ + place_count_; ++place) {
      if (place->event < first->event) {
        others = first->event;
        first = place;
      } else if (place->event < others) {
        others = place->event;
      }
    }
    const Place taken = *first;
    *first = places_[--place_count_];
    Group group;
    group.lanes = taken.lanes;
    for (uint32_t rest = taken.lanes; rest; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      const Lane& lane = warp_.lanes[i];
      group.lane[group.count] = i;
      group.from[group.count++] = lane.read;
      group.words = std::min(group.words, lane.next - lane.read);
    }
    // Mostly all lanes go together, and loops of a known length are much faster.
    const ptrdiff_t done = group.count == kLanes ? execute<kLanes>(group, taken.event, others)
                                                 : execute<0>(group, taken.event, others);
    for (int k = 0; k < group.count; ++k)
      warp_.lanes[group.lane[k]].read += done;
    ready_ &= ~taken.lanes;
    sort(taken.lanes);
  }

  // Returns how many words of each lane were executed. `kCount` is how many lanes there are, 0 if
  // only the group knows.
  template <int kCount>
  ptrdiff_t execute(const Group& group, Event first, Event others) {
    const int count = kCount ? kCount : group.count;
    ptrdiff_t done = 0;
    bool together = true;
    for (Event event = first; together;) {
      if (words_of(event) == 1) {
        execute_block(event, count);
      } else if (kind_of(event) == kSleep) {
        uint64_t longest = 0;
        for (int k = 0; k < count; ++k)
          longest = std::max(longest, group.from[k][done + 1]);
        sleep(longest, count);
      } else {
        Request request;
        request.lanes = group.lanes;
        request.lane_count = count;
        for (int k = 0; k < count; ++k)
          request.address[kCount ? k : group.lane[k]] = group.from[k][done + 1];
        execute_access(event, request);
      }
      done += words_of(event);
      // There is always room after the end of a trace: words that are read there do not matter.
      event = group.from[0][done];
      Event difference = 0;
      for (int k = 1; k < count; ++k)
        difference |= event ^ group.from[k][done];
      together =
          done < group.words && difference == 0 && event < others && !(kind_of(event) & kMeeting);
    }
    return done;
  }

  // The lanes of other groups that are complete at the same call: tiles of a warp, for instance.
  // They continue together, because it is one instruction for all of them.
  uint32_t beside(uint32_t waiting, Event event, bool to_the_end) const {
    if (kind_of(event) == kMatrix) return 0;
    uint32_t at_call = 0, complete = 0;
    for (uint32_t rest = waiting; rest; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      if (warp_.lanes[i].read[0] == event) at_call |= 1u << i;
    }
    for (uint32_t rest = at_call; rest; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      const auto mask = static_cast<uint32_t>(warp_.lanes[i].read[1]);
      const uint32_t missing = mask & ~at_call & warp_.present & (waiting | ~warp_.ended);
      if (!missing || to_the_end) complete |= 1u << i;
    }
    return complete;
  }

  // Lets lanes continue whose meeting is complete; returns false if there are none.
  bool meet(uint32_t waiting, bool to_the_end) {
    for (uint32_t rest = waiting; rest; rest &= rest - 1) {
      const Lane& one = warp_.lanes[__builtin_ctz(rest)];
      const bool barrier = kind_of(one.read[0]) == kBarrier;
      const uint32_t mask = barrier ? ~0u : static_cast<uint32_t>(one.read[1]);
      uint32_t together = 0;
      for (uint32_t others = waiting; others; others &= others - 1) {
        const int i = __builtin_ctz(others);
        const Event* read = warp_.lanes[i].read;
        if ((kind_of(read[0]) == kBarrier) == barrier && (barrier || read[1] == one.read[1])) {
          together |= 1u << i;
        }
      }
      // Lanes that have ended, and have nothing left to replay, do not take part.
      const uint32_t missing = mask & ~together & warp_.present & (waiting | ~warp_.ended);
      if (missing && !to_the_end) continue;
      if (!barrier) together |= beside(waiting & ~together, one.read[0], to_the_end);
      execute_meeting(one.read[0], one.read[1], together);
      for (uint32_t lanes = together; lanes; lanes &= lanes - 1)
        warp_.lanes[__builtin_ctz(lanes)].read += 2;
      meeting_ &= ~together;
      sort(together);
      return true;
    }
    return false;
  }

  void execute_block(Event event, int lanes) {
    const BasicBlock& block = execution_.table->find(code_of(event));
    if (warp_.phases.branch && warp_.phases.from_global) consume();
    warp_.phases.branch = block.waits;
    InstructionCounts& counts = kernel_.instructions;
    const unsigned integer = block.integer + kInstructionsPerLine * block.cached;
    counts.integer += integer;
    counts.fp32 += block.fp32;
    counts.fp64 += block.fp64;
    counts.special += block.special;
    if (block.special) ++kernel_.special_blocks[code_of(event)];
    counts.control += block.control;
    const unsigned full = integer + block.fp32 + block.fp64 + block.special + block.control;
    const unsigned quarters = 4 * full + block.loop;
    const unsigned waiting = 4 * (block.longest + kInstructionsPerLine * block.cached) + block.loop;
    issue(quarters, lanes, std::max(quarters / kIndependentInstructions, waiting));
  }

  void issue(unsigned quarters, int lanes) { issue(quarters, lanes, quarters); }

  // `alone`: for how many quarters a warp that is alone is busy with them.
  void issue(unsigned quarters, int lanes, unsigned alone) {
    kernel_.instructions.chain_quarters += std::min(alone, quarters);
    kernel_.instructions.quarters += quarters;
    kernel_.instructions.lane_quarters += uint64_t{quarters} * lanes;
    warp_.clock += quarters * kClocksPerInstruction / 4;
  }

  Site& site_of(Event event) {
    const uint32_t number = kernel_.site_number(code_of(event), kind_of(event));
    return kernel_.sites[number];
  }

  void execute_meeting(Event event, uint64_t word, uint32_t together) {
    const int lanes = __builtin_popcount(together);
    if (kind_of(event) == kTogether) return;
    Site& site = site_of(event);
    ++site.requests;
    site.lanes += lanes;
    issue(4, lanes);
    const uint8_t kind = kind_of(event);
    if (kind == kMatrix) {
      kernel_.products[matrix_unit(matrix_factors(word), matrix_sums(word))] +=
          matrix_multiplications(word);
      warp_.clock += kClocksPerProduct - kClocksPerInstruction;
    } else if (kind != kBarrier) {
      ++kernel_.warp_syncs;
      if (kind == kShuffle) kernel_.shuffle_clocks += kClocksPerShuffle;
      if (kind == kReduction) kernel_.shuffle_clocks += kClocksPerReduction;
      warp_.clock += kClocksPerWarpSync;
    }
    consume();
  }

  // The lanes of a warp sleep side by side.
  void sleep(uint64_t ns, int lanes) {
    issue(4, lanes);
    warp_.slept_ns += ns;
    warp_.clock += kClocksPerNs * ns;
    consume();
  }

  void execute_access(Event event, Request& request) {
    const uint8_t kind = kind_of(event);
    request.bytes = bytes_of(kind);
    if (is_texture(kind)) list_texels(kind, &request, &texels_);
    request.find_stride();
    const uint32_t number = kernel_.site_number(code_of(event), kind);
    Site& site = kernel_.sites[number];
    const int lanes = request.lane_count;
    ++site.requests;
    site.lanes += lanes;
    site.bytes += uint64_t{request.bytes} * lanes;
    const bool asynchronous = is_asynchronous(kind);
    // All lanes use the same element of an array. That is how arrays look that a function gets by
    // address: nvcc inlines it and unrolls its loops, and then they are in registers. Of 29 kernels
    // with such accesses an H200 has local memory in one.
    const bool in_register =
        !is_texture(kind) && space_of(kind) == Space::kLocal && is_uniform(request);
    if (!asynchronous && !in_register) {
      issue(4, lanes);
      ++kernel_.instructions.memory;
    }
    int cost = 0;
    if (operation_of(kind) == Operation::kLoad) {
      warp_.phases.from_global = is_texture(kind) || space_of(kind) == Space::kGlobal;
    }
    if (is_texture(kind)) {
      cost = access_texture(site, number, request);
      if (cost > site.example.cost) remember(site, request, cost);
      return;
    }
    switch (space_of(kind)) {
      case Space::kGlobal:
        cost = access_global(site, number, request);
        break;
      case Space::kShared:
        cost = access_shared(site, request);
        break;
      case Space::kLocal:
        cost = access_local(site, request, in_register);
        break;
      case Space::kConstant:
        cost = access_constant(site, request);
        break;
    }
    if (operation_of(kind) == Operation::kAtomic) {
      site.same_address += same_address_lanes(request);
    }
    if (asynchronous) {
      if (space_of(kind) == Space::kShared) copy();
    } else if (operation_of(kind) == Operation::kStore && space_of(kind) == Space::kShared) {
      warp_.phases.stored = true;
    } else if (operation_of(kind) != Operation::kLoad && !in_register) {
      consume();
    }
    if (cost > site.example.cost) remember(site, request, cost);
  }

  int access_global(Site& site, uint32_t number, const Request& request) {
    const Operation operation = operation_of(site.kind);
    const bool on_host = is_on_host(request.address[request.first_lane()]);
    const bool may_part = operation == Operation::kStore && !on_host;
    if (may_part) execution_.parted->prefetch(request);
    list_lines(request, &lines_);
    const int sectors = lines_.sectors();
    site.sectors += sectors;
    // Updates of one address are combined: the lanes' bytes do not need separate places.
    site.ideal_sectors += operation == Operation::kAtomic
                              ? std::min(ideal_sectors(request), sectors)
                              : ideal_sectors(request);
    site.lines += lines_.count;
    site.first_lines += std::min<uint64_t>(lines_.count, kFirstLines);
    site.lookups += lines_.lookups();
    if (lines_.count >= kScattered) {
      TouchedSectors& touched =
          operation == Operation::kLoad ? *execution_.loaded : *execution_.stored;
      for (int i = 0; i < lines_.count; ++i) {
        execution_.l2->prefetch(lines_.parts[i].line);
        touched.prefetch(lines_.parts[i].line);
      }
    }
    if (may_part) {
      kernel_.parted_sectors += execution_.parted->store(request, execution_.begun, *execution_.l2);
    }
    Level furthest = kL1;
    for (int i = 0; i < lines_.count; ++i) {
      LinePart part = lines_.parts[i];
      if (operation == Operation::kLoad) {
        furthest = std::max(furthest, read_through_caches(part, on_host));
      } else {
        kernel_.unique_store_sectors += execution_.stored->add(part);
        if (on_host) {
          kernel_.link_store_sectors += sector_count(part.sectors);
        } else {
          // The L2 cache must hold a sector that an atomic operation changes.
          if (operation == Operation::kAtomic) execution_.l2->read(part, &kernel_.l2);
          execution_.l2->write(part, &kernel_.l2);
        }
      }
    }
    if (operation == Operation::kLoad) {
      // The rest of a bulk copy belongs to the phase of its first access.
      if (is_asynchronous(site.kind)) {
        warp_.phases.furthest = std::max(warp_.phases.furthest, furthest);
      } else {
        load(number, request, furthest);
      }
    } else if (operation == Operation::kAtomic) {
      count_atomics(request);
    }
    return sectors;
  }

  bool is_on_host(uint64_t place) const {
    for (const auto& [begin, end] : *execution_.on_host) {
      if (place < end) return place >= begin;
    }
    return false;
  }

  // Returns where the load finds its data. While another warp still waits for the line, that is
  // where the other warp's load finds it.
  Level read_through_caches(LinePart part, bool on_host) {
    kernel_.unique_load_sectors += execution_.loaded->add(part);
    Cache& l1 = *execution_.l1;
    part.sectors = l1.read(part, &kernel_.l1);
    if (part.sectors == 0) {
      const Cache::Note note = l1.note();
      return warp_.clock < note.clock + kClocksPerLoadPhase ? static_cast<Level>(note.level) : kL1;
    }
    Level level = kMemory;
    if (on_host) {
      kernel_.link_load_sectors += sector_count(part.sectors);
    } else if (execution_.l2->read(part, &kernel_.l2) == 0) {
      level = kL2;
    }
    l1.set_note({warp_.clock, level});
    return level;
  }

  int access_texture(Site& site, uint32_t number, const Request& request) {
    list_lines_of(texels_.places, &lines_);
    const int sectors = lines_.sectors();
    site.sectors += sectors;
    site.ideal_sectors += ideal_sectors(request);
    site.lines += lines_.count;
    site.wavefronts += texels_.passes;
    site.ideal_wavefronts += texels_.passes;
    warp_.clock += texels_.passes;
    Level furthest = kL1;
    for (int i = 0; i < lines_.count; ++i) {
      const bool on_host = is_on_host(lines_.parts[i].line * kLineBytes);
      furthest = std::max(furthest, read_through_caches(lines_.parts[i], on_host));
    }
    load(number, request, furthest);
    return sectors;
  }

  int access_shared(Site& site, const Request& request) {
    const Wavefronts wavefronts = count_wavefronts(request);
    site.wavefronts += wavefronts.actual;
    site.ideal_wavefronts += wavefronts.ideal;
    warp_.clock += wavefronts.actual;
    return wavefronts.actual;
  }

  // Word w of lane l of a warp's local memory lies at 4 * (32 w + l): lanes that use the same
  // variable share lines.
  int access_local(Site& site, Request& request, bool in_register) {
    Request words = request;
    for (uint32_t rest = request.lanes; rest; rest &= rest - 1) {
      const int lane = __builtin_ctz(rest);
      const uint64_t offset = request.address[lane];
      words.address[lane] = offset / 4 * kLineBytes + 4 * lane + offset % 4;
    }
    words.bytes = std::min(request.bytes, 4u);
    words.find_stride();
    int sectors = 0;
    uint64_t lines = 0;
    for (unsigned done = 0; done < request.bytes; done += words.bytes) {
      list_lines(words, &lines_);
      sectors += lines_.sectors();
      lines += lines_.count;
      for (uint64_t& address : words.address)
        address += kLineBytes;
    }
    if (!in_register) {
      site.lines += lines;
      site.first_lines += std::min(lines, kFirstLines);
    }
    site.sectors += sectors;
    site.ideal_sectors += ideal_sectors(request);
    kernel_.local_bytes += uint64_t{kSectorBytes} * sectors;
    return sectors;
  }

  // A request takes one pass per different address, and a longer one for each address that the
  // cache does not have.
  int access_constant(Site& site, const Request& request) {
    uint64_t places[kLanes];
    int passes = 0;
    for (uint32_t rest = request.lanes; rest; rest &= rest - 1) {
      const uint64_t place = request.address[__builtin_ctz(rest)];
      if (std::find(places, places + passes, place) == places + passes) places[passes++] = place;
    }
    kernel_.constant_passes += passes;
    Traffic traffic;
    for (int i = 0; i < passes; ++i) {
      const uint32_t sector = 1u << places[i] / kSectorBytes % 4;
      const LinePart part{places[i] / kLineBytes, sector};
      if (execution_.constants->read(part, &traffic)) ++kernel_.constant_misses;
    }
    site.wavefronts += passes;
    site.ideal_wavefronts += 1;
    warp_.clock += passes;
    return passes;
  }

  void count_atomics(const Request& request) {
    auto& atomics = *execution_.atomics;
    // With one address for all lanes, the compiler lets one lane do the work for all.
    const bool uniform = is_uniform(request);
    for (uint32_t rest = request.lanes; rest; rest &= rest - 1) {
      ++atomics[request.address[__builtin_ctz(rest)]];
      if (uniform) break;
    }
  }

  void remember(Site& site, const Request& request, int cost) {
    Example& example = site.example;
    example.cost = cost;
    example.launch = execution_.launch;
    example.block = execution_.block;
    example.warp = execution_.warp;
    example.bytes = request.bytes;
    example.lanes = request.lanes;
    const bool global = space_of(site.kind) == Space::kGlobal || is_texture(site.kind);
    const uint64_t base = global ? allocation_base(request.address[request.first_lane()]) : 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if (request.lanes >> lane & 1) example.offsets[lane] = request.address[lane] - base;
    }
  }

  // ---- phases of loads ----

  void consume() {
    wait_for_copies();
    if (warp_.phases.open) warp_.phases.consumed = true;
  }

  // The load before it was that of an asynchronous copy. If all of the phase are, the warp goes on.
  void copy() {
    LoadPhases& phases = warp_.phases;
    if (!phases.open || phases.consumed || phases.copying || phases.loads != 1) return;
    phases.copying = true;
    warp_.clock -= kClocksPerLoadPhase;
    phases.copied_at = warp_.clock;
  }

  // What has been done since the copies began is not waited for.
  void wait_for_copies() {
    LoadPhases& phases = warp_.phases;
    if (!phases.copying) return;
    phases.copying = false;
    const uint64_t since = warp_.clock - phases.copied_at;
    phases.arrived = since >= kClocksPerWait[phases.furthest];
    if (phases.arrived) {
      --phases.count;
    } else {
      warp_.clock += kClocksPerLoadPhase - since;
    }
  }

  void wait_for_loads() {
    warp_.close_phase();
    ++warp_.phases.count;
    warp_.clock += kClocksPerLoadPhase;
  }

  void begin_phase(uint32_t lanes) {
    LoadPhases& phases = warp_.phases;
    wait_for_copies();
    ++phases.number;
    phases.loads = 0;
    phases.open = true;
    phases.consumed = phases.dependent = phases.stored = false;
    phases.lanes = lanes;
    wait_for_loads();
  }

  void load(uint32_t site_number, const Request& request, Level furthest) {
    LoadPhases& phases = warp_.phases;
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
      wait_for_loads();  // nothing but itself could have given it this address: a chain
    }
    state.affine_before = phases.affine_loads;
    phases.furthest = std::max(phases.furthest, furthest);
  }

  WarpTrace& warp_;
  const Execution& execution_;
  Kernel& kernel_;
  Place places_[kLanes];  // in no order: there are few at a time
  int place_count_ = 0;
  uint32_t ready_ = 0;    // the lanes of all places
  uint32_t meeting_ = 0;  // the lanes that have come to a meeting
  LineList lines_;
  Texels texels_;
};

}  // namespace

void replay(WarpTrace& warp, const Execution& execution, bool to_the_end) {
  Replay(warp, execution).run(to_the_end);
}

}  // namespace cudacpu::profile
