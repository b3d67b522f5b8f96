#include "profile/replay/replay.h"

#include <algorithm>
#include <cstdint>

#include "profile/gpu/clocks.h"

namespace cudacpu::profile {

namespace {

// A multiprocessor looks up a line of its L1 cache per clock, and issues kInstructionsPerLine
// instructions in a clock.
constexpr unsigned kInstructionsPerLine = 4;

class Replay {
 public:
  Replay(WarpTrace& warp, const Execution& execution)
      : warp_(warp),
        execution_(execution),
        kernel_(*execution.kernel),
        accesses_(&warp, execution) {}

  void run(bool to_the_end) {
    sort(warp_.present);
    for (;;) {
      const uint32_t waiting = at_barrier_ | at_meeting_;
      if (!to_the_end && (warp_.running & ~(ready_ | waiting))) return;
      if (ready_) {
        advance();
      } else if (!meet(waiting, to_the_end)) {
        return;
      }
    }
  }

 private:
  // Lanes with the same next event, which is no meeting.
  struct Place {
    Event event;
    uint32_t lanes;
  };

  // The lanes at the same place, and how far they have come together. Equal events take the same
  // number of words in each lane.
  struct Group {
    int lane[kLanes];
    const Event* from[kLanes];
    int count = 0;
    uint32_t lanes = 0;
    ptrdiff_t words = PTRDIFF_MAX, most_words = 0;  // until the first and the last lane have no
                                                    // words left
  };

  // Sorts lanes by their next events. Neighbours mostly have the same event.
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
      (kind_of(event) == kBarrier ? at_barrier_ : at_meeting_) |= lanes;
      return;
    }
    ready_ |= lanes;
    Place* const end = places_ + place_count_;
    Place* const place =
        std::find_if(places_, end, [event](const Place& one) { return one.event == event; });
    if (place == end) places_[place_count_++] = {event, 0};
    place->lanes |= lanes;
  }

  // Executes the lanes at the first place, as long as the lanes stay together and no other lane's
  // turn comes.
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
      group.most_words = std::max(group.most_words, lane.next - lane.read);
    }
    // Mostly all lanes go together, and loops of a known length are much faster.
    const Step step = group.count == kLanes ? execute<kLanes>(group, taken.event, others)
                                            : execute<0>(group, taken.event, others);
    for (int k = 0; k < group.count; ++k)
      warp_.lanes[group.lane[k]].read += step.words;
    ready_ &= ~taken.lanes;
    if (step.words == group.most_words) return;
    if (step.together && step.words < group.words) {
      add(step.next, taken.lanes);
    } else {
      sort(taken.lanes);
    }
  }

  // How many words of each lane were executed, and whether all lanes have the same next event.
  struct Step {
    ptrdiff_t words;
    Event next;
    bool together;
  };

  // `kCount`: the number of lanes, 0 if only the group knows.
  template <int kCount>
  Step execute(const Group& group, Event first, Event others) {
    const int count = kCount ? kCount : group.count;
    ptrdiff_t done = 0;
    for (Event event = first;;) {
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
        accesses_.execute(event, request);
      }
      done += words_of(event);
      // A trace always has room after its end: words read past the end do not matter.
      event = group.from[0][done];
      Event difference = 0;
      for (int k = 1; k < count; ++k)
        difference |= event ^ group.from[k][done];
      const bool together = difference == 0;
      if (done >= group.words || !together || event >= others || kind_of(event) & kMeeting) {
        return {done, event, together};
      }
    }
  }

  // The lanes of other groups that are complete at the same call, such as tiles of a warp. The
  // groups continue together, because the call is a single instruction for all.
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

  // Lets the lanes of a complete meeting continue; returns false without any.
  bool meet(uint32_t waiting, bool to_the_end) {
    for (uint32_t rest = waiting; rest; rest &= rest - 1) {
      const Lane& one = warp_.lanes[__builtin_ctz(rest)];
      const bool barrier = at_barrier_ & rest & -rest;
      const uint32_t mask = barrier ? ~0u : static_cast<uint32_t>(one.read[1]);
      uint32_t together = barrier ? at_barrier_ : with_mask(one.read[1]);
      // Lanes that have ended, with nothing left to replay, do not take part.
      const uint32_t missing = mask & ~together & warp_.present & (waiting | ~warp_.ended);
      if (missing && !to_the_end) continue;
      if (!barrier) together |= beside(waiting & ~together, one.read[0], to_the_end);
      pass_meeting(one, together);
      return true;
    }
    return false;
  }

  // The lanes at a meeting of the warp with the second word `word`.
  uint32_t with_mask(Event word) const {
    uint32_t lanes = 0;
    for (uint32_t rest = at_meeting_; rest; rest &= rest - 1) {
      if (warp_.lanes[__builtin_ctz(rest)].read[1] == word) lanes |= rest & -rest;
    }
    return lanes;
  }

  // The lanes `together`, of which `one` is a member, pass their meeting.
  void pass_meeting(const Lane& one, uint32_t together) {
    execute_meeting(one.read[0], one.read[1], together);
    uint32_t left = 0;  // lanes that have recorded more
    for (uint32_t rest = together; rest; rest &= rest - 1) {
      Lane& lane = warp_.lanes[__builtin_ctz(rest)];
      lane.read += 2;
      if (lane.read != lane.next) left |= rest & -rest;
    }
    at_barrier_ &= ~together;
    at_meeting_ &= ~together;
    sort(left);
  }

  void execute_block(Event event, int lanes) {
    const BasicBlock& block = execution_.table->find(code_of(event));
    if (warp_.phases.branch && warp_.phases.from_global) warp_.consume();
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
    warp_.issue(&counts, quarters, lanes, std::max(quarters / kIndependentInstructions, waiting));
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
    warp_.issue(&kernel_.instructions, 4, lanes);
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
    warp_.consume();
  }

  // The lanes of a warp sleep side by side.
  void sleep(uint64_t ns, int lanes) {
    warp_.issue(&kernel_.instructions, 4, lanes);
    warp_.slept_ns += ns;
    warp_.clock += kClocksPerNs * ns;
    warp_.consume();
  }

  WarpTrace& warp_;
  const Execution& execution_;
  Kernel& kernel_;
  Accesses accesses_;
  Place places_[kLanes];  // in no order: a warp has few places at a time
  int place_count_ = 0;
  uint32_t ready_ = 0;       // the lanes of all places
  uint32_t at_barrier_ = 0;  // the lanes that have come to a barrier
  uint32_t at_meeting_ = 0;  // the lanes that have come to a meeting of the warp
};

}  // namespace

void replay(WarpTrace& warp, const Execution& execution, bool to_the_end) {
  Replay(warp, execution).run(to_the_end);
}

}  // namespace cudacpu::profile
