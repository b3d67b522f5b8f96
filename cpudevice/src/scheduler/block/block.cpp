#include "scheduler/block/block.h"

namespace cudacpu {
namespace {

constexpr uint64_t kBeforeNoBlock = UINT64_MAX - 1;  // a number without a successor in the grid

// The lanes of `among` for which `holds` is true.
template <class Holds>
unsigned lanes_where(unsigned among, Holds holds) {
  unsigned found = 0;
  for (; among; among &= among - 1)
    found |= holds(__builtin_ctz(among)) ? among & -among : 0;
  return found;
}

}  // namespace

void Block::prepare(const Launch& launch) {
  prepared_for = launch.number;
  number = kBeforeNoBlock;
  threads.prepare(launch.threads);
  memory.prepare(launch);
  meetings.prepare();
  cluster.leave();
}

void Block::begin(const Launch& launch, uint64_t linear) {
  if (linear == number + 1 && index.x + 1 < launch.grid.x) {
    ++index.x;
  } else if (launch.blocks <= UINT32_MAX) {  // 32-bit divisions are cheaper
    uint32_t n = static_cast<uint32_t>(linear);
    index = {n % launch.grid.x, n / launch.grid.x % launch.grid.y,
             n / launch.grid.x / launch.grid.y};
  } else {
    index.x = static_cast<unsigned>(linear % launch.grid.x);
    index.y = static_cast<unsigned>(linear / launch.grid.x % launch.grid.y);
    index.z = static_cast<unsigned>(linear / launch.grid.x / launch.grid.y);
  }
  number = linear;
  idle = false;
  threads.begin();
  barrier.begin();
  if (!named.empty()) named.clear();
  grid.begin();
  copies.end();
  memory.begin();
}

void Block::begin(const Launch& launch, const std::shared_ptr<Cluster>& own) {
  const dim3 size = launch.cluster;
  const auto rank = static_cast<unsigned>(own->blocks().size());
  const uint64_t x = launch.grid.x / size.x, y = launch.grid.y / size.y, n = own->number();
  const uint64_t block_x = n % x * size.x + rank % size.x,
                 block_y = n / x % y * size.y + rank / size.x % size.y,
                 block_z = n / x / y * size.z + rank / size.x / size.y;
  number = kBeforeNoBlock;
  begin(launch, block_x + launch.grid.x * (block_y + launch.grid.y * block_z));
  cluster.join(own, this);
}

bool Block::complete_all() {
  if (check_barrier()) return true;
  bool any = false;
  for (unsigned warp = 0; warp * kWarpSize < threads.count(); ++warp) {
    const unsigned present = threads.present_lanes(warp);
    for (; Meeting* meeting = meetings.find_complete(warp, present); any = true)
      complete(*meeting, warp);
  }
  return any;
}

bool Block::answer_active_masks() {
  bool any = false;
  for (unsigned warp = 0; warp * kWarpSize < threads.count(); ++warp) {
    Thread* const lanes = &threads[warp * kWarpSize];
    unsigned asking = lanes_where(threads.alive().warp(warp), [=](unsigned lane) {
      return lanes[lane].wait == Wait::kActiveMask;
    });
    any |= asking != 0;
    while (asking) {
      const void* const site = lanes[__builtin_ctz(asking)].site;
      const unsigned group =
          lanes_where(asking, [=](unsigned lane) { return lanes[lane].site == site; });
      for (unsigned rest = group; rest; rest &= rest - 1) {
        Thread& thread = lanes[__builtin_ctz(rest)];
        thread.mask = group;
        threads.wake(thread.id);
      }
      observe::active_mask(*this, warp, group);
      asking &= ~group;
    }
  }
  return any;
}

}  // namespace cudacpu
