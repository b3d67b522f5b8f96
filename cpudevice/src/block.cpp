// One block's threads: who runs next, barriers, and the fibers they run on.
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "switch.h"

namespace cudacpu {

namespace {

// A block whose threads that can run have each yielded this often, and done nothing else that is
// seen, may wait for a block that has not started.
constexpr unsigned kIdleYields = 20;
// What uninitialised shared memory holds: NaN as a float, -1 as an int.
constexpr int kSharedPoison = 0xFF;

void report_deadlock(Worker& worker) {
  Failure* failure = claim_failure(*worker.launch, Failure::kDeadlock, cudaErrorLaunchTimeout);
  if (failure) {
    Block& block = *worker.block;
    for (unsigned id = 0; id < block.threads; ++id) {
      if (!block.alive.has(id)) continue;
      const Thread& t = block.thread_states[id];
      unsigned mask = t.wait == Wait::kWarp ? t.mask : 0;
      if (!failure->waits.empty()) {
        WaitGroup& last = failure->waits.back();
        if (last.site == t.site && last.mask == mask && last.last + 1 == id) {
          last.last = id;
          continue;
        }
      }
      failure->waits.push_back({id, id, t.what, mask, t.site});
    }
  }
  end_launch(worker);
}

// Does every worker wait for this opening of the barrier, and some block never comes?
bool grid_is_stuck(Launch& launch, uint64_t generation) {
  std::lock_guard<std::mutex> lock(launch.grid_mutex);
  return launch.grid_generation.load() == generation && launch.grid_idle == launch.working.load() &&
         launch.next_block.load() >= launch.blocks;
}

void wait_for_grid(Worker& worker) {
  Launch& launch = *worker.launch;
  uint64_t generation = worker.block->grid_generation;
  {
    std::lock_guard<std::mutex> lock(launch.grid_mutex);
    if (launch.grid_generation.load() != generation) return;
    ++launch.grid_idle;
  }
  for (unsigned spins = 0; launch.grid_generation.load() == generation; ++spins) {
    if (launch.failed.load(std::memory_order_relaxed)) end_launch(worker);
    if (launch.timed_out.load(std::memory_order_relaxed)) report_timeout(worker, nullptr);
    if (spins % 1024 == 1023 && grid_is_stuck(launch, generation)) report_deadlock(worker);
    sched_yield();
  }
}

void release_grid(Block& block) {
  block.grid_waiting = false;
  block.grid_arrived = 0;
  for (int id = block.alive.next(0); id >= 0; id = block.alive.next(id + 1)) {
    block.thread_states[id].wait = Wait::kNothing;
    block.ready.add(id);
  }
}

bool runnable(Block& block, Launch& launch) {
  if (block.grid_waiting && launch.grid_generation.load() != block.grid_generation) {
    release_grid(block);
  }
  return !block.ready.empty() || !block.all_started();
}

// Another block of this worker that can go on.
Block* other_runnable(Worker& worker) {
  size_t n = worker.resident.size(), here = 0;
  while (worker.resident[here] != worker.block)
    ++here;
  for (size_t i = 1; i < n; ++i) {
    Block* block = worker.resident[(here + i) % n];
    if (runnable(*block, *worker.launch)) return block;
  }
  return nullptr;
}

// Deals this worker its next block's number. Blocks go out in increasing order, in runs that take
// long enough to make the shared counter cheap and neighbouring workers write to different pages,
// and that are otherwise as short as possible: a block may wait for the ones before it.
bool deal(Worker& worker, uint64_t* number) {
  constexpr double kShortRun = 10e-6, kLongRun = 40e-6;
  constexpr unsigned kMaxRun = 256;
  Launch& launch = *worker.launch;
  if (worker.run_next == worker.run_end) {
    if (!launch.cooperative) {
      double now = now_seconds(), took = now - worker.run_started;
      if (took < kShortRun && worker.run_length < kMaxRun) worker.run_length *= 2;
      if (took > kLongRun && worker.run_length > 1) worker.run_length /= 2;
      worker.run_started = now;
    }
    uint64_t first = launch.next_block.fetch_add(worker.run_length, std::memory_order_relaxed);
    if (first >= launch.blocks) return false;
    worker.run_next = first;
    worker.run_end = std::min(first + worker.run_length, launch.blocks);
  }
  *number = worker.run_next++;
  worker.progress = worker.progress + 1;
  return true;
}

// A whole block has come to the grid barrier, or has ended.
void grid_block_arrives(Launch& launch, bool ended) {
  std::lock_guard<std::mutex> lock(launch.grid_mutex);
  if (ended) {
    --launch.grid_live;
  } else {
    ++launch.grid_arrived;
  }
  if (launch.grid_arrived == launch.grid_live && launch.grid_arrived > 0) {
    launch.grid_arrived = 0;
    launch.grid_idle = 0;
    launch.grid_generation.fetch_add(1);
    observe::grid_complete(launch);
  }
}

// If all live threads of the block stand at the grid barrier, the block does.
void check_grid(Worker& worker, Block& block) {
  if (block.grid_arrived == 0 || block.grid_waiting) return;
  if (block.grid_arrived != block.alive.size() || !block.all_started()) return;
  block.grid_generation = worker.launch->grid_generation.load();
  block.grid_waiting = true;
  grid_block_arrives(*worker.launch, false);
}

}  // namespace

// Frees the fibers of the threads of an ended block.
void release_parked(Worker& worker, Block& block) {
  // Thread 0's is the first to be taken again.
  for (unsigned id = block.threads; !block.parked.empty() && id-- > 0;) {
    if (!block.parked.has(id)) continue;
    block.parked.remove(id);
    worker.fibers.give(block.thread_states[id].fiber);
  }
}

// Decides when the running thread cannot go on, or has ended. `after` is its number.
Next choose(Worker& worker, unsigned after, Thread** chosen) {
  for (;;) {
    Launch& launch = *worker.launch;
    if (launch.failed.load(std::memory_order_relaxed)) end_launch(worker);
    if (launch.timed_out.load(std::memory_order_relaxed)) {
      bool waited = after < kMaxBlockThreads && worker.block->alive.has(after);
      report_timeout(worker, waited ? call_of(worker.block->thread_states[after].site) : nullptr);
    }
    Block& block = *worker.block;
    if (!block.ready.empty()) {
      *chosen = take_next(block, after);
      return Next::kThread;
    }
    if (!block.all_started()) return Next::kLoop;
    if (block.alive.empty()) {
      if (worker.resident.size() == 1 &&
          !launch.cooperative) {  // the usual case: the same Block again
        uint64_t number;
        if (!deal(worker, &number)) {
          retire_block(worker);
          return Next::kOver;
        }
        observe::block_end(block);
        block.begin(launch, number);
        blockIdx = block.index;
        observe::block_begin(block);
        if (block.parked.size() == block.threads) {
          block.restart();
          continue;
        }
        release_parked(worker, block);
        return Next::kLoop;
      }
      retire_block(worker);
      if (!worker.resident.empty()) {
        enter_block(worker, *worker.resident.front());
        after = kMaxBlockThreads;
        if (runnable(*worker.block, launch)) continue;
      }
      if (start_block(worker)) return Next::kLoop;
      if (worker.resident.empty()) return Next::kOver;
      continue;
    }
    if (block.sweep()) continue;
    if (runnable(block, launch)) continue;
    if (Block* other = other_runnable(worker)) {
      enter_block(worker, *other);
      after = kMaxBlockThreads;
      continue;
    }
    bool grid = false;
    for (Block* b : worker.resident)
      grid |= b->grid_waiting;
    if (launch.cooperative && start_block(worker)) return Next::kLoop;
    if (!grid) report_deadlock(worker);
    if (!block.grid_waiting) {
      for (Block* b : worker.resident) {
        if (b->grid_waiting) enter_block(worker, *b);
      }
    }
    wait_for_grid(worker);
  }
}

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
  grid_waiting = false;
  // The same garbage on each run and for any number of workers.
  if (shared_bytes) memset(shared, kSharedPoison, shared_bytes);
  if (function_shared_bytes) memset(function_shared.get(), kSharedPoison, function_shared_bytes);
}

void Block::restart() {
  next_start = threads;
  ready = alive = parked;
  parked.clear();
}

void Block::release_barrier() {
  reduced = reducing;
  reducing = {0, 1, 0};
  barrier_arrived = 0;
  observe::barrier_complete(*this);
  ready = alive;
}

bool Block::check_barrier() {
  if (barrier_arrived == 0 || barrier_arrived != alive.size() || !all_started()) return false;
  release_barrier();
  return true;
}

bool Block::sweep() {
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
  if (any) return true;
  // Nothing else can run: those that ask who is active are, each group at one place together.
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

void enter_block(Worker& worker, Block& block) {
  worker.block = &block;
  blockIdx = block.index;
  context.shared = block.shared;
  context.dynamic_shared = block.dynamic_shared;
  context.function_shared = block.function_shared.get();
  observe::block_resume(block);
}

bool start_block(Worker& worker) {
  Launch& launch = *worker.launch;
  uint64_t number;
  if (!deal(worker, &number)) return false;
  if (worker.spare.empty()) worker.spare.push_back(std::make_unique<Block>());
  Block* block = worker.spare.back().release();
  worker.spare.pop_back();
  if (block->prepared_for != launch.number) block->prepare(launch);
  block->begin(launch, number);
  worker.resident.push_back(block);
  enter_block(worker, *block);
  observe::block_begin(*block);
  return true;
}

void retire_block(Worker& worker) {
  Block* block = worker.block;
  observe::block_end(*block);
  release_parked(worker, *block);
  if (worker.launch->cooperative) grid_block_arrives(*worker.launch, true);
  auto& resident = worker.resident;
  resident.erase(std::find(resident.begin(), resident.end(), block));
  worker.spare.emplace_back(block);
}

namespace {

// The loop over the threads has come to its end, and none of the last ones had to wait.
__attribute__((noinline)) void end_loop(Worker& worker) {
  set_busy(1);
  Block& block = *worker.block;
  block.next_start = block.threads;
  check_grid(worker, block);
  Thread* thread;
  Next next = choose(worker, kMaxBlockThreads, &thread);
  if (next == Next::kLoop) return;
  worker.fibers.give(worker.fiber);
  go(next == Next::kOver ? Departure{&worker.discarded, worker.main_context}
                         : resume(worker, *thread, &worker.discarded));
}

}  // namespace

// Its frame is kept small: each thread of a block that waits has one, and they compete for the
// first-level cache.
void fiber_main() {
  for (;;) {
    Worker& worker = *context.worker;
    const Body& body = worker.launch->body;
    auto run = body.run_simple && !worker.replaying ? body.run_simple : body.run;
    context.thread = context.last_to_barrier = context.last_to_end = nullptr;
    threadIdx.x = kBetweenThreads;
    set_busy(0);
    run(body.closure, worker.block->next_index);
    end_loop(worker);
  }
}

Departure finish_thread() {
  set_busy(1);
  Worker& worker = *context.worker;
  Thread& ended = current_thread(worker);
  Block& block = *worker.block;
  // If the next block comes here too, its thread of this number can go on where this one was. Such
  // a block begins with threads that are all there, as if behind a barrier.
  const bool parks =
      !CUDACPU_DIAGNOSTICS && worker.resident.size() == 1 && !worker.launch->cooperative;
  if (parks) {
    block.parked.add(ended.id);
  } else {
    worker.fibers.give(ended.fiber);
  }
  StackPointer* save = parks ? &ended.context : &worker.discarded;
  // A barrier may have waited only for this thread. Meetings of its warp are looked after in
  // sweep(), as is all that waits for threads that end without ever having waited.
  observe::thread_end(ended.id);
  block.alive.remove(ended.id);
  worker.progress = worker.progress + 1;
  Thread* thread;
  if (block.barrier_arrived == 0 && block.grid_arrived == 0 && !block.ready.empty()) {
    thread = take_next(block, ended);
    Departure departure = resume(worker, *thread, save);
    if (parks) context.last_to_end = last_ready(block);
    return departure;
  }
  block.check_barrier();
  check_grid(worker, block);
  switch (choose(worker, ended.id, &thread)) {
    case Next::kThread: {
      const Departure departure = resume(worker, *thread, save);
      // The only thread of the next block as well: it is where it is to go on.
      return thread == &ended ? Departure{nullptr, nullptr} : departure;
    }
    case Next::kLoop:
      return start_loop(worker, save);
    default:
      return {&worker.discarded, worker.main_context};
  }
}

// All threads of the running block that can go on have only yielded for a while: what they spin on
// may be written by another worker, or by a block that waits for this one's worker. Goes to another
// block that was started, or, when each has had its chance since the last time, to a new one; true
// if that is to start.
bool leave_block(Worker& worker) {
  sched_yield();
  const size_t resident = worker.resident.size();
  if (++worker.idle_blocks >= resident && resident < worker.launch->most_resident &&
      start_block(worker)) {
    worker.idle_blocks = 0;
    return true;
  }
  if (Block* other = other_runnable(worker)) enter_block(worker, *other);
  return false;
}

void yield_now(Worker& worker, unsigned rounds) {
  if (worker.launch->failed.load(std::memory_order_relaxed)) end_launch(worker);
  Thread& me = current_thread(worker);
  Block& block = *worker.block;
  block.ready.add(me.id);
  if (!block.all_started()) {
    go(start_loop(worker, &me.context));
    return;
  }
  if (worker.progress != worker.last_progress) {
    worker.last_progress = worker.progress;
    worker.idle_yields = 0;
  }
  if (block.ready.size() > 1 || !block.sweep()) {
    worker.idle_yields += rounds ? rounds * block.ready.size() : 1;
    if (block.ready.size() == 1) sched_yield();
    if (worker.idle_yields >= kIdleYields * block.ready.size()) {
      worker.idle_yields = 0;
      if (leave_block(worker)) {
        go(start_loop(worker, &me.context));
        return;
      }
    }
  }
  go(leave(worker, me));
}

#if CUDACPU_DIAGNOSTICS
void run_first(Worker& worker, Block* block, unsigned id) {
  Thread& me = current_thread(worker);
  Block& mine = *worker.block;
  if (!block) {
    if (worker.launch->cooperative || !start_block(worker)) return;
    mine.ready.add(me.id);
    go(start_loop(worker, &me.context));
    return;
  }
  mine.ready.add(me.id);
  if (block != worker.block) enter_block(worker, *block);
  if (block->ready.has(id)) {
    block->ready.remove(id);
    Thread& thread = block->thread_states[id];
    if (&thread != &me) go(resume(worker, thread, &me.context));
  } else if (id >= block->next_start) {
    go(start_loop(worker, &me.context));
  } else {
    go(leave(worker, me));
  }
}
#endif

// ---- what kernels call
// --------------------------------------------------------------------------------------------

namespace {

inline Departure wait_at_barrier(Worker& worker, Thread& me, const char* what, const void* site) {
  Block& block = *worker.block;
  me.what = what;
  me.site = site;
  me.wait = Wait::kBlock;
  observe::barrier_arrive(me.id, what, site);
  if (++block.barrier_arrived == block.alive.size() && block.all_started()) {
    block.release_barrier();
    worker.progress = worker.progress + 1;
  }
  return leave(worker, me);
}

}  // namespace

Departure arrive_at_barrier(const char* what) {
  Worker* worker = context.worker;
  if (!worker) return {nullptr, nullptr};
  set_busy(1);
  Thread& me = current_thread(*worker);
  Departure departure = wait_at_barrier(*worker, me, what, __builtin_return_address(0));
  // The others follow by themselves, if they come to a barrier too.
  if (!CUDACPU_DIAGNOSTICS && context.thread == &me + 1) {
    context.last_to_barrier = last_ready(*worker->block);
  }
  return departure;
}

Departure arrive_at_barrier_reduce(int predicate, const char* what) {
  Worker* worker = context.worker;
  if (!worker) return {nullptr, nullptr};
  set_busy(1);
  Thread& me = current_thread(*worker);
  BarrierResult& reducing = worker->block->reducing;
  reducing.count += predicate != 0;
  reducing.all &= predicate != 0;
  reducing.any |= predicate != 0;
  return wait_at_barrier(*worker, me, what, __builtin_return_address(0));
}

BarrierResult barrier_result() {
  return context.worker ? context.worker->block->reduced : BarrierResult{};
}

void grid_barrier(const char* what) {
  Worker* worker = context.worker;
  if (!worker) return;
  if (!worker->launch->cooperative) {
    kernel_trap(cudaErrorLaunchFailure,
                "waits for the whole grid, but was not launched with cudaLaunchCooperativeKernel");
  }
  set_busy(1);
  Thread& me = current_thread(*worker);
  Block& block = *worker->block;
  me.what = what;
  me.site = __builtin_return_address(0);
  me.wait = Wait::kGrid;
  observe::grid_arrive(me.id, what, me.site);
  ++block.grid_arrived;
  check_grid(*worker, block);
  go(leave(*worker, me));
  set_busy(0);
}

bool grid_is_cooperative() {
  return context.worker && context.worker->launch->cooperative;
}

void yield() {
  Worker* worker = context.worker;
  if (!worker) return;
  set_busy(1);
  yield_now(*worker);
  set_busy(0);
}

void many_atomics() {
  constexpr int kBudget = 256;
  context.atomics_left = kBudget;
  Worker* worker = context.worker;
  if (!worker) return;
  // Only a thread that used up a whole budget alone can be spinning.
  uint64_t spinner = uint64_t{blockIdx.x} << 40 ^ uint64_t { blockIdx.y } << 20 ^
                     uint64_t { blockIdx.z } << 10 ^ linear_thread();
  if (spinner != worker->last_spinner) {
    worker->last_spinner = spinner;
    return;
  }
  yield();
}

}  // namespace cudacpu
