#include "sanitize/order/order.h"

#include <algorithm>
#include <unordered_map>

#include "sanitize/order/epochs.h"
#include "sanitize/order/streams.h"
#include "scheduler/threads/worker.h"

namespace cudacpu::sanitize {

// What a fence made visible, recorded when a write released the fence through a variable.
struct Release {
  uint32_t serial, epoch;
  uint16_t thread;  // kAllThreads: everything before the epoch
  uint8_t clock;
  bool device;
  uint32_t known;  // the list of what the thread had acquired
  uint8_t row[kWarpSize];
};

struct Variable {
  std::vector<Release> log;
  std::unordered_map<uint32_t, std::vector<uint32_t>> by_block;  // positions in the log
  std::unordered_set<uint64_t> fences;                           // all fences in the log
};

namespace {

constexpr uint16_t kAllThreads = UINT16_MAX;
constexpr size_t kMostReleases = 4 << 20;
constexpr int kMostSteps = 20000;

// Of the running launch.
struct Releases {
  std::unordered_map<uintptr_t, std::unique_ptr<Variable>> variables;
  std::vector<AcquiredList> known{{}};
  size_t count = 0;
};
Releases& releases() {
  static auto* const all = new Releases;
  return *all;
}

// Successive blocks have their shared memory at the same address.
uintptr_t key_of(uintptr_t address) {
  const BlockState* const owner = shared_region(address) ? now.block
                                  : now.in_cluster       ? owner_of_shared(address)
                                                         : nullptr;
  return owner ? address ^ uintptr_t { owner->serial } << 47 : address;
}

void add_acquired(AcquiredList& list, const Acquired& what) {
  for (Acquired& a : list) {
    if (a.variable == what.variable) {
      a.releases = std::max(a.releases, what.releases);
      return;
    }
  }
  list.push_back(what);
}

bool covers(const Release& release, Record record, uint32_t serial, bool to_other_block) {
  if (release.serial != serial || (to_other_block && !release.device)) return false;
  const uint32_t epoch = epoch_of(record);
  if (epoch != release.epoch) return epoch < release.epoch;
  if (release.thread == kAllThreads) return false;
  const unsigned thread = thread_of(record);
  if (thread == release.thread) return clock_of(record) <= release.clock;
  return thread / kWarpSize == release.thread / kWarpSize &&
         clock_of(record) <= release.row[thread % kWarpSize];
}

bool made_known(Record record, uint32_t serial) {
  const BlockState& block = *now.block;
  const bool to_other_block = serial != block.serial;
  AcquiredList open = block.all_acquired;
  for (const Acquired& a : block.acquired[now.thread])
    add_acquired(open, a);
  if (open.empty()) return false;
  std::unordered_map<const Variable*, uint32_t> followed;
  int steps = 0;
  while (!open.empty()) {
    const Acquired next = open.back();
    open.pop_back();
    uint32_t& done = followed[next.variable];
    if (done >= next.releases) continue;
    const auto positions = next.variable->by_block.find(serial);
    if (positions != next.variable->by_block.end()) {
      for (uint32_t position : positions->second) {
        if (position >= next.releases) break;
        if (covers(next.variable->log[position], record, serial, to_other_block)) return true;
      }
    }
    for (uint32_t i = done; i < next.releases; ++i) {
      for (const Acquired& a : releases().known[next.variable->log[i].known])
        open.push_back(a);
      if (++steps > kMostSteps) return true;
    }
    done = next.releases;
  }
  return false;
}

}  // namespace

bool ordered(Record record) {
  const uint32_t epoch = epoch_of(record);
  const unsigned thread = thread_of(record);
  if (epoch == now.epoch) {
    if (thread == now.thread) return true;
    if (thread / kWarpSize == now.thread / kWarpSize && now.block->clocks_used &&
        clock_of(record) <= now.block->known[now.thread][thread % kWarpSize]) {
      return true;
    }
    return made_known(record, now.block->serial);
  }
  if (epoch < now.ordered_before) return true;
  const uint32_t serial = serial_of(epoch);
  const BlockState& block = *now.block;
  if (serial == block.serial) return true;
  if (serial - block.cluster_serial < block.cluster.size() && epoch < block.cluster_before)
    return true;
  const Instance other = instance_at(serial);
  if (other.operation != current_operation()) return launch_waits_for(other.operation);
  // The answer for a pair of blocks is often needed word by word.
  static Record last_asked;
  static uint32_t last_epoch;
  static unsigned last_thread;
  if (record >> kClockShift == last_asked && last_epoch == now.epoch && last_thread == now.thread)
    return true;
  if (!made_known(record, serial)) return false;
  last_asked = record >> kClockShift;
  last_epoch = now.epoch;
  last_thread = now.thread;
  return true;
}

// ---- releases and acquires -------------------------------------------------------------------

namespace {

void add_release(Variable& variable, unsigned thread, const Fence& fence, uint32_t known) {
  const uint32_t serial = now.block->serial;
  if (!variable.fences.insert(fence.id).second) return;
  Release release{serial, fence.epoch, static_cast<uint16_t>(thread), fence.clock, fence.device,
                  known,  {}};
  std::copy(fence.row, fence.row + kWarpSize, release.row);
  variable.by_block[serial].push_back(static_cast<uint32_t>(variable.log.size()));
  variable.log.push_back(release);
  ++releases().count;
}

uint32_t known_now() {
  const BlockState& block = *now.block;
  AcquiredList list = block.all_acquired;
  for (const Acquired& a : block.acquired[now.thread])
    add_acquired(list, a);
  if (list.empty()) return 0;
  releases().known.push_back(std::move(list));
  return static_cast<uint32_t>(releases().known.size() - 1);
}

}  // namespace

void release(uintptr_t address) {
  BlockState& block = *now.block;
  if (!block.fences_used || releases().count > kMostReleases) return;
  const Fence& device = block.fence[now.thread];
  const Fence& local = block.block_fence[now.thread];
  if (!device.id && !local.id && block.inherited.empty()) return;
  auto& slot = releases().variables[key_of(address)];
  if (!slot) slot = std::make_unique<Variable>();
  bool fresh =
      (device.id && !slot->fences.count(device.id)) || (local.id && !slot->fences.count(local.id));
  for (const auto& [thread, fence] : block.inherited)
    fresh |= !slot->fences.count(fence.id);
  if (!fresh) return;
  const uint32_t known = known_now();
  if (device.id) add_release(*slot, now.thread, device, known);
  if (local.id) add_release(*slot, now.thread, local, known);
  for (const auto& [thread, fence] : block.inherited)
    add_release(*slot, thread, fence, known);
}

void acquire(uintptr_t address) {
  if (releases().variables.empty()) return;
  const auto found = releases().variables.find(key_of(address));
  if (found == releases().variables.end()) return;
  Variable& variable = *found->second;
  AcquiredList& list = now.block->acquired[now.thread];
  if (list.empty()) now.block->acquirers.push_back(now.thread);
  add_acquired(list, {&variable, static_cast<uint32_t>(variable.log.size())});
}

void note_published() {
  BlockState& block = *now.block;
  if (!block.fences_used) return;
  BlockState::Published& published = block.published[now.thread];
  const Fence& device = block.fence[now.thread];
  const Fence& local = block.block_fence[now.thread];
  if (device.id && device.epoch == block.epoch) published.block = published.device = device.clock;
  if (local.id && local.epoch == block.epoch)
    published.block = std::max(published.block, local.clock);
}

bool is_flag_of_block(uintptr_t address) {
  const auto found = releases().variables.find(key_of(address));
  if (found == releases().variables.end()) return false;
  const Variable& variable = *found->second;
  const auto positions = variable.by_block.find(now.block->serial);
  if (positions == variable.by_block.end()) return false;
  return std::any_of(positions->second.rbegin(), positions->second.rend(), [&](uint32_t position) {
    const Release& release = variable.log[position];
    return release.epoch == now.epoch && release.thread != kAllThreads;
  });
}

void forget_releases() {
  Releases& all = releases();
  if (all.variables.empty()) return;
  all.variables.clear();
  all.known.assign(1, {});
  all.count = 0;
}

// ---- blocks ----------------------------------------------------------------------------------

namespace {

uint32_t last_fence_id;

void publish(BlockState& block) {
  now.epoch = block.epoch;
  now.own_since = block.own_since;
  now.shared = block.shared;
  now.function_shared = block.function_shared;
  now.in_cluster = context.worker && context.worker->launch->cluster_blocks > 1;
  now.block = &block;
}

void set_clocks(BlockState& block) {
  std::fill(std::begin(block.clock), std::end(block.clock), 1);
  for (auto& row : block.known)
    std::fill(std::begin(row), std::end(row), 0);
  std::fill(std::begin(block.published), std::end(block.published), BlockState::Published{});
  block.clocks_used = false;
}

void forget_clocks(BlockState& block) {
  if (block.clocks_used) set_clocks(block);
}

}  // namespace

BlockState::BlockState() {
  set_clocks(*this);
}

void begin_epoch(BlockState& block) {
  const bool alone = next_epoch() == block.epoch + 1;
  block.epoch = new_epoch(block.serial);
  if (!alone) block.own_since = block.epoch;
  forget_clocks(block);
  if (now.block == &block) {
    publish(block);
    set_thread(now.thread);
  }
}

void begin_block(BlockState& block, uint32_t serial) {
  block.serial = serial;
  block.epoch = block.own_since = new_epoch(serial);
  forget_clocks(block);
  if (block.fences_used) {
    std::fill(block.fence.begin(), block.fence.end(), Fence{});
    std::fill(block.block_fence.begin(), block.block_fence.end(), Fence{});
    block.fences_used = false;
  }
  block.fenced.clear();
  block.inherited.clear();
  for (unsigned thread : block.acquirers)
    block.acquired[thread].clear();
  block.acquirers.clear();
  block.all_acquired.clear();
  block.cluster.clear();
  block.visit = 0;
  block.ended = false;
  block.arrivals = block.exits = 0;
  block.passed_site = nullptr;
  block.parted = false;
  block.exited.clear();
  block.returned.clear();
  publish(block);
}

void resume_block(BlockState& block) {
  publish(block);
}

void set_thread(unsigned id) {
  now.thread = id;
  now.me = make_record(now.epoch, id, now.block->clock[id]);
}

// A barrier of the block, at which `threads` threads wait.
void pass_barrier(BlockState& block, unsigned threads) {
  constexpr size_t kMostInherited = 64;
  for (unsigned thread : block.acquirers) {
    for (const Acquired& a : block.acquired[thread])
      add_acquired(block.all_acquired, a);
    block.acquired[thread].clear();
  }
  block.acquirers.clear();
  begin_epoch(block);
  if (block.fenced.empty()) return;
  std::sort(block.fenced.begin(), block.fenced.end());
  block.fenced.erase(std::unique(block.fenced.begin(), block.fenced.end()), block.fenced.end());
  if (block.fenced.size() >= threads ||
      block.inherited.size() + block.fenced.size() > kMostInherited) {
    Fence all;
    all.id = ++last_fence_id;
    all.epoch = block.epoch;
    all.device = true;
    block.inherited.assign(1, {kAllThreads, all});
  } else {
    for (unsigned thread : block.fenced)
      block.inherited.push_back({thread, block.fence[thread]});
  }
  block.fenced.clear();
}

void pass_cluster_barrier(const std::vector<BlockState*>& blocks) {
  AcquiredList acquired;
  const uint32_t first = next_epoch();
  for (BlockState* block : blocks) {
    pass_barrier(*block, block->block->threads.count());
    for (const Acquired& a : block->all_acquired)
      add_acquired(acquired, a);
  }
  for (BlockState* block : blocks) {
    block->all_acquired = acquired;
    block->cluster_before = first;
  }
}

BlockState* owner_of_shared(uintptr_t address) {
  for (BlockState* block : now.block->cluster) {
    if (block->shared.has(address) || block->function_shared.has(address)) return block;
  }
  return nullptr;
}

namespace {

// Increments a thread's clock; begins an epoch, as a barrier does, if the clock is at its maximum.
void tick(BlockState& block, unsigned thread) {
  block.clocks_used = true;
  if (block.clock[thread] == kMostClock) {
    begin_epoch(block);
  } else {
    ++block.clock[thread];
  }
}

}  // namespace

void pass_fence(bool device) {
  BlockState& block = *now.block;
  const unsigned thread = now.thread;
  Fence& fence = device ? block.fence[thread] : block.block_fence[thread];
  fence.id = ++last_fence_id;
  fence.epoch = block.epoch;
  fence.clock = block.clock[thread];
  fence.device = device;
  std::copy(std::begin(block.known[thread]), std::end(block.known[thread]), fence.row);
  block.fences_used = true;
  if (device) block.fenced.push_back(thread);
  tick(block, thread);
  set_thread(thread);
}

namespace {

// A lane may publish after a __syncwarp what the other lanes wrote before fences of their own.
void join_fences(const BlockState& block, std::vector<Fence>& fences, unsigned first,
                 unsigned lanes) {
  Fence joined;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const unsigned lane = __builtin_ctz(rest);
    const Fence& fence = fences[first + lane];
    if (!fence.id || fence.epoch != block.epoch) continue;
    joined.device = fence.device;
    joined.epoch = fence.epoch;
    for (unsigned i = 0; i < kWarpSize; ++i)
      joined.row[i] = std::max(joined.row[i], fence.row[i]);
    joined.row[lane] = std::max(joined.row[lane], fence.clock);
  }
  if (joined.epoch != block.epoch) return;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const unsigned lane = __builtin_ctz(rest);
    Fence& fence = fences[first + lane];
    joined.clock = joined.row[lane];
    const bool known = fence.id && fence.epoch == joined.epoch && fence.clock == joined.clock &&
                       std::equal(joined.row, joined.row + kWarpSize, fence.row);
    if (known) continue;
    joined.id = ++last_fence_id;
    fence = joined;
  }
}

}  // namespace

// The lanes of a warp have waited for each other.
void join_lanes(BlockState& block, unsigned warp, unsigned lanes) {
  const unsigned first = warp * kWarpSize;
  uint8_t row[kWarpSize] = {};
  AcquiredList acquired;
  if (block.fences_used) {
    join_fences(block, block.fence, first, lanes);
    join_fences(block, block.block_fence, first, lanes);
  }
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const unsigned lane = __builtin_ctz(rest), thread = first + lane;
    for (unsigned i = 0; i < kWarpSize; ++i)
      row[i] = std::max(row[i], block.known[thread][i]);
    row[lane] = std::max(row[lane], block.clock[thread]);
    if (!block.acquirers.empty()) {
      for (const Acquired& a : block.acquired[thread])
        add_acquired(acquired, a);
    }
  }
  bool full = false;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    full |= block.clock[first + __builtin_ctz(rest)] == kMostClock;
  }
  if (full) {
    begin_epoch(block);
  } else {
    block.clocks_used = true;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
      const unsigned thread = first + __builtin_ctz(rest);
      std::copy(std::begin(row), std::end(row), block.known[thread]);
      block.published[thread].warp = block.clock[thread]++;
    }
  }
  if (now.block == &block) set_thread(now.thread);
  if (acquired.empty()) return;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const unsigned thread = first + __builtin_ctz(rest);
    if (block.acquired[thread].empty()) block.acquirers.push_back(thread);
    block.acquired[thread] = acquired;
  }
}

}  // namespace cudacpu::sanitize
