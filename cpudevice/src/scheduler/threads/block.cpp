#include "scheduler/threads/block.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "scheduler/launch/shared_memory.h"

namespace cudacpu {
namespace {

// The value of uninitialised shared memory: NaN as a float, -1 as an int.
constexpr int kSharedPoison = 0xFF;

}  // namespace

Block::Block() : thread_states(kMaxBlockThreads + 1 + kThreadsAhead), warps(kMaxWarps) {}

Block::~Block() {
  if (shared_map) munmap(shared_map, kSharedOptInLimit + 2 * sysconf(_SC_PAGESIZE));
}

void Block::prepare(const Launch& launch) {
  size_t page = sysconf(_SC_PAGESIZE);
  size_t room = (kSharedOptInLimit + page - 1) / page * page;
  if (!shared_map) {
    void* memory = mmap(nullptr, room + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) abort();
    shared_map = static_cast<char*>(memory);
    mprotect(shared_map + room, page, PROT_NONE);
  }
  prepared_for = launch.number;
  number = UINT64_MAX - 1;  // no block's predecessor
  threads = launch.threads;
  size_t align = launch.info->static_shared_align;
  size_t fixed = (launch.info->static_shared + align - 1) / align * align;
  size_t variable = (launch.dynamic_bytes + 15) / 16 * 16;
  size_t offset = (room - fixed - variable) / align * align;
  shared = shared_map + offset;
  dynamic_shared = shared + fixed;
  shared_bytes = fixed + launch.dynamic_bytes;
  size_t functions = function_shared_size();
  if (functions > function_shared_bytes) {
    function_shared.reset(static_cast<char*>(aligned_alloc(128, (functions + 127) / 128 * 128)));
    function_shared_bytes = functions;
  }
  cluster = nullptr;
  alive.clear();
  ready.clear();
  parked.clear();
  for (Warp& warp : warps) {
    for (auto& meeting : warp.meetings)
      meeting->arrived = 0;
  }
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
  next_start = 0;
  next_index = {0, 0, 0};
  barrier_arrived = 0;
  reducing = {0, 1, 0};
  grid_arrived = 0;
  grid_waiting = idle = false;
  if (!named.empty()) named.clear();
  if (!copies.empty()) copies.clear();
  if (!bulk_loads.empty()) bulk_loads.clear();
  if (!bulk_stores.empty()) finish_bulk_stores();
  // It is the same in each run and for any number of workers.
  if (shared_bytes) memset(shared, kSharedPoison, shared_bytes);
  if (function_shared_bytes) memset(function_shared.get(), kSharedPoison, function_shared_bytes);
}

void Block::begin(const Launch& launch, const std::shared_ptr<Cluster>& own, unsigned own_rank) {
  const dim3 size = launch.cluster;
  const uint64_t x = launch.grid.x / size.x, y = launch.grid.y / size.y, n = own->number;
  const uint64_t first_x = n % x * size.x, first_y = n / x % y * size.y,
                 first_z = n / x / y * size.z;
  const uint64_t block_x = first_x + own_rank % size.x,
                 block_y = first_y + own_rank / size.x % size.y,
                 block_z = first_z + own_rank / size.x / size.y;
  number = UINT64_MAX - 1;
  begin(launch, block_x + launch.grid.x * (block_y + launch.grid.y * block_z));
  cluster = own;
  rank = own_rank;
  cluster_arrivals.assign(threads, 0);
  cluster_arrived = 0;
  arrived_in_cluster = false;
}

void Block::finish_bulk_stores() {
  for (BulkStores& stores : bulk_stores) {
    for (; stores.written < stores.copies.size(); ++stores.written) {
      const BulkCopy& copy = stores.copies[stores.written];
      memcpy(copy.to, copy.data.data(), copy.data.size());
    }
  }
  bulk_stores.clear();
}

bool Block::complete_all() {
  if (check_barrier()) return true;
  bool any = false;
  for (unsigned warp = 0; warp * kWarpSize < threads; ++warp) {
    unsigned present = present_lanes(warp);
    for (auto& meeting : warps[warp].meetings) {
      if (meeting->arrived && !(meeting->mask & present & ~meeting->arrived)) {
        complete(*meeting, warp);
        any = true;
      }
    }
  }
  return any;
}

bool Block::answer_active_masks() {
  bool any = false;
  for (unsigned warp = 0; warp * kWarpSize < threads; ++warp) {
    unsigned asking = 0;
    unsigned lanes = alive.warp(warp);
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
      const Thread& t = thread_states[warp * kWarpSize + __builtin_ctz(rest)];
      if (t.wait == Wait::kActiveMask) asking |= 1u << __builtin_ctz(rest);
    }
    while (asking) {
      const void* site = thread_states[warp * kWarpSize + __builtin_ctz(asking)].site;
      unsigned group = 0;
      for (unsigned rest = asking; rest; rest &= rest - 1) {
        unsigned lane = __builtin_ctz(rest);
        if (thread_states[warp * kWarpSize + lane].site == site) group |= 1u << lane;
      }
      for (unsigned rest = group; rest; rest &= rest - 1) {
        Thread& t = thread_states[warp * kWarpSize + __builtin_ctz(rest)];
        t.mask = group;
        t.wait = Wait::kNothing;
      }
      observe::active_mask(*this, warp, group);
      ready.add_warp(warp, group);
      asking &= ~group;
      any = true;
    }
  }
  return any;
}

}  // namespace cudacpu
