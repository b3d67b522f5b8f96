// The cost of a warp's access: its sectors, its steps, and the level that holds its data.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/gpu/counters.h"
#include "profile/gpu/parted_sectors.h"
#include "profile/gpu/texels.h"
#include "profile/gpu/touched_sectors.h"
#include "profile/replay/warp_trace.h"
#include "profile/trace/basic_blocks.h"

namespace cudacpu::profile {

// Memory of the host that kernels reach over the link: [first, second) each, in order.
using HostPlaces = std::vector<std::pair<uint64_t, uint64_t>>;

// The data of the launch that the replay of a warp needs, and the counters that the replay
// increments.
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
  uint64_t begun;  // how many blocks began before, in all launches
  unsigned warp;
  uint64_t launch;
};

// The accesses of a warp.
class Accesses {
 public:
  Accesses(WarpTrace* warp, const Execution& execution)
      : warp_(*warp), execution_(execution), kernel_(*execution.kernel) {}

  // Counts an access by the lanes and at the addresses of `request`; fills in the request's bytes.
  void execute(Event event, Request& request);

 private:
  int access_global(Site& site, uint32_t number, const Request& request);
  bool is_on_host(uint64_t place) const;
  void find_in_l2(TouchedSectors& touched);
  Level read_through_caches(bool on_host);
  Level read_line(LinePart part, Cache::Place in_l2, bool on_host);
  void write_to_l2(Operation operation, bool on_host);
  int access_texture(Site& site, uint32_t number, const Request& request);
  int access_shared(Site& site, const Request& request);
  int access_local(Site& site, Request& request, bool in_register);
  int access_constant(Site& site, const Request& request);
  void count_atomics(const Request& request);
  void remember(Site& site, const Request& request, int cost);

  WarpTrace& warp_;
  const Execution& execution_;
  Kernel& kernel_;
  LineList lines_;
  Cache::Place in_l2_[LineList::kMost];  // where the L2 cache may have lines_
  Texels texels_;
};

}  // namespace cudacpu::profile
