#include "profile/profiler.h"

#include <algorithm>
#include <cstdlib>

#include "memory/arena.h"
#include "memory/location.h"
#include "profile/foreign_memory.h"
#include "profile/gpu/clocks.h"
#include "profile/gpu/sizes.h"
#include "profile/report.h"
#include "profile/trace/places.h"
#include "profile/trace/recorder.h"
#include "scheduler/launch/configuration.h"
#include "scheduler/threads/worker.h"
#include "scheduler/threads/yield.h"

namespace cudacpu::profile {

namespace {

// After kPatience turns without room a lane no longer waits for the rest of its warp.
constexpr int kPatience = 2000;

// How far a lane has come since its warp was last together, in clocks. A short distance counts as
// 0: too short to be worth a switch to another thread.
uint64_t time_alone(const Lane& lane) {
  constexpr uint64_t kShortWay = 1024;
  const auto words = static_cast<uint64_t>(lane.next - lane.read);
  return words > kShortWay ? words * kClocksPerInstruction : 0;
}

// Estimates how long a warp has waited for loads, to find the warp that waits longest.
uint64_t clocks_of(const LoadPhases& phases) {
  uint64_t clocks = 0;
  for (int level = 0; level < kLevels; ++level)
    clocks += kClocksPerWait[level] * phases.waits[level];
  return clocks;
}

}  // namespace

std::atomic<Profiler*> made_profiler;

Profiler& make_profiler() {
  static Profiler* const the_profiler = [] {
    auto* made = new Profiler;
    atexit([] { profiler().write_at_exit(); });
    return made;
  }();
  made_profiler.store(the_profiler, std::memory_order_release);
  return *the_profiler;
}

Profiler::Profiler() {
  find_program_variables();
  host_arena = arena_addresses();
  variable_range = place_variables();
  host_.find_managed_variables();
}

// ---- launches -----------------------------------------------------------------------------------

// Adds the counts of a launch that has ended to the counts of similar launches, and notes the
// launch among the host's operations.
void Profiler::add_launch() {
  const auto place = std::find_if(kernels_.begin(), kernels_.end(),
                                  [&](const auto& one) { return one->is_alike(*kernel_); });
  HostOperation operation{"launch"};
  operation.stream = stream_;
  operation.async = true;
  if (place == kernels_.end()) {
    operation.kernel = kernel_.get();
    kernels_.push_back(std::move(kernel_));
  } else {
    operation.kernel = place->get();
    (*place)->add(*kernel_);
    kernel_.reset();
  }
  host_.note(operation);
}

void Profiler::find_host_memory() {
  on_host_.clear();
  registered_.clear();
  for (const MemoryRange& range : pinned_memory()) {
    on_host_.emplace_back(range.begin - host_arena.begin, range.end - host_arena.begin);
  }
  registered_ = registered_memory();
  if (registered_.empty()) return;
  // Starts at the beginning of a line, so that sectors keep their places.
  const uintptr_t first = registered_.front().begin / kLineBytes * kLineBytes;
  recorder.registered = {first, registered_.back().end - first};
  on_host_.emplace_back(kRegistered, kRegistered + recorder.registered.bytes);
}

void Profiler::launch_begin(const Launch& launch, void* stream) {
  recorder = Recorder();
  recorder.launching = true;
  if (paused_) return;  // without a kernel no blocks and threads are counted
  recorder.code = code_base();
  recorder.arena = host_arena;
  recorder.argument_bytes = launch.body.closure_bytes;
  recorder.variables = variable_range = place_variables();
  host_.find_managed_variables();
  find_own_memory();
  find_host_memory();

  launch_ = &launch;
  stream_ = stream;
  kernel_ = std::make_unique<Kernel>();
  kernel_->info = launch.info;
  kernel_->grid = launch.grid;
  kernel_->block = launch.block;
  kernel_->dynamic_shared = launch.dynamic_bytes;
  kernel_->resident_blocks =
      blocks_per_multiprocessor(*launch.info, launch.threads, launch.dynamic_bytes);
  kernel_->launches = 1;
  kernel_->blocks = launch.blocks;
  kernel_->threads = launch.blocks * launch.threads;
  const unsigned warps = (launch.threads + kLanes - 1) / kLanes;
  kernel_->warps = launch.blocks * warps;
  thread_ = &host_.this_thread();
  if (!thread_->l2) thread_->l2 = std::make_unique<Cache>(kL2Bytes);
  ++thread_->launches;
  const auto resident = static_cast<unsigned>(std::max(1, kernel_->resident_blocks));
  kernel_->slots = uint64_t{resident} * kMultiprocessors;
  slots_.reset(kernel_->slots);

  const size_t shared = resident * (launch.info->static_shared + launch.dynamic_bytes);
  const size_t l1_bytes = kL1Bytes > shared + kLeastL1Bytes ? kL1Bytes - shared : kLeastL1Bytes;
  l1_.assign(kMultiprocessors, Cache(l1_bytes, true));
  constants_.assign(kMultiprocessors, Cache(kConstantCacheBytes));
  loaded_.clear();
  stored_.clear();
  atomics_.clear();
  flags_.begin(blocks_begun_);
}

void Profiler::launch_end() {
  leave();
  current_ = nullptr;
  recorder.launching = false;
  if (!kernel_) return;
  // If the launch failed, blocks were abandoned.
  for (auto& trace : traces_) {
    for (WarpTrace& warp : trace->warps)
      buffers_.give(warp);
    spare_traces_.push_back(std::move(trace));
  }
  traces_.clear();
  kernel_->makespan = slots_.latest();
  kernel_->dirty_at_end = thread_->l2->dirty_sectors();
  uint64_t hottest = 0;
  for (const auto& [address, count] : atomics_)
    hottest = std::max(hottest, count);
  kernel_->hottest_atomics = hottest;
  add_launch();
  host_.count_managed_faults(loaded_, stored_);
}

BlockTrace* Profiler::trace_of(const Block& block) {
  if (current_ && current_->block == &block) return current_;
  for (auto& trace : traces_) {
    if (trace->block == &block) return trace.get();
  }
  return nullptr;
}

// ---- blocks -------------------------------------------------------------------------------------

void Profiler::block_begin(const Block& block) {
  if (!kernel_) return;
  leave();
  std::unique_ptr<BlockTrace> trace;
  if (spare_traces_.empty()) {
    trace = std::make_unique<BlockTrace>();
  } else {
    trace = std::move(spare_traces_.back());
    spare_traces_.pop_back();
  }
  uint64_t free_at = 0;
  trace->slot = slots_.take(&free_at);
  trace->begin = free_at + kClocksPerBlock;
  trace->barriers = 0;
  trace->waits = false;
  trace->index = block.index;
  trace->begun = blocks_begun_++;
  trace->warp_count = (block.threads.count() + kLanes - 1) / kLanes;
  for (unsigned w = 0; w < trace->warp_count; ++w) {
    const unsigned lanes = std::min<unsigned>(kLanes, block.threads.count() - w * kLanes);
    trace->warps[w].begin(lanes == kLanes ? ~0u : (1u << lanes) - 1, trace->begin);
  }
  trace->shared = reinterpret_cast<uintptr_t>(block.memory.of_kernel().begin);
  trace->block = const_cast<Block*>(&block);
  current_ = trace.get();
  traces_.push_back(std::move(trace));
  horizon_ = 0;
  recorder.shared = {current_->shared, block.memory.of_kernel().bytes};
  recorder.function_shared = {reinterpret_cast<uintptr_t>(block.memory.of_functions().begin),
                              block.memory.of_functions().bytes};
}

void Profiler::block_resume(const Block& block) {
  leave();
  BlockTrace* const trace = trace_of(block);
  if (!trace) return;  // the block begins
  current_ = trace;
  recorder.shared = {current_->shared, block.memory.of_kernel().bytes};
  recorder.function_shared = {reinterpret_cast<uintptr_t>(block.memory.of_functions().begin),
                              block.memory.of_functions().bytes};
}

void Profiler::block_end(const Block& block) {
  leave();
  BlockTrace* const ended = trace_of(block);
  if (!ended) return;
  BlockTrace* const other = current_;
  current_ = ended;
  uint64_t slowest = 0, slept_ns = 0, longest = 0;
  const uint64_t* waits = ended->warps[0].phases.waits;
  for (unsigned w = 0; w < ended->warp_count; ++w) {
    WarpTrace& warp = ended->warps[w];
    flush(w, true);
    buffers_.give(warp);
    warp.close_phase();
    slowest = std::max(slowest, warp.phases.count);
    const uint64_t waited = clocks_of(warp.phases);
    if (waited > longest) waits = warp.phases.waits;
    longest = std::max(longest, waited);
    slept_ns = std::max(slept_ns, warp.slept_ns);
  }
  kernel_->slowest_phases += slowest;
  for (int level = 0; level < kLevels; ++level)
    kernel_->waits[level] += waits[level];
  kernel_->slept_ns += slept_ns;
  kernel_->barriers += ended->barriers;
  kernel_->waiting_blocks += ended->waits;
  const uint64_t end = ended->clock();
  kernel_->lifetimes += end - ended->begin + kClocksPerBlock;
  slots_.give(ended->slot, end);
  current_ = other == ended ? nullptr : other;
  const auto place = std::find_if(traces_.begin(), traces_.end(),
                                  [&](const auto& trace) { return trace.get() == ended; });
  spare_traces_.push_back(std::move(*place));
  traces_.erase(place);
  horizon_ = 0;
}

// ---- threads ------------------------------------------------------------------------------------

// Functions that the running thread calls change lists of the profiler; the watchdog must not stop
// the thread in the middle of a change.
void Profiler::thread_begin(unsigned id, uintptr_t frame) {
  if (!current_) return;
  NoPreemption guard;
  leave();
  WarpTrace& warp = warp_of(id);
  Lane& lane = warp.lanes[id % kLanes];
  lane.frame = frame;
  lane.origin = event_origin(frame, recorder.code);
  enter(warp, id % kLanes);
}

// The first thread of a warp without a buffer enters.
void Profiler::begin_to_record(WarpTrace& warp, unsigned lane) {
  buffers_.take(warp);
  enter(warp, lane);
}

void Profiler::thread_end(unsigned id) {
  if (!current_) return;
  NoPreemption guard;
  leave();
  WarpTrace& warp = warp_of(id);
  warp.running &= ~(1u << id % kLanes);
  warp.ended |= 1u << id % kLanes;
  if (!warp.running) flush(id / kLanes, false);
}

// The work of the library after a failure, to report the failure, belongs to no thread: its memory
// is the host's.
void Profiler::blocks_abandoned() {
  recorder.next = nullptr;
}

void Profiler::barrier_complete(const Block& block) {
  BlockTrace* const found = trace_of(block);
  if (!found) return;
  BlockTrace& trace = *found;
  horizon_ = 0;
  const uint64_t now = trace.clock() + kClocksPerBarrier;
  ++trace.barriers;
  for (unsigned w = 0; w < trace.warp_count; ++w) {
    WarpTrace& warp = trace.warps[w];
    if (!warp.at_barrier) continue;
    warp.clock = now;
    warp.running |= warp.at_barrier;
    warp.at_barrier = 0;
  }
}

void Profiler::grid_complete() {
  std::vector<BlockTrace*> all;
  for (auto& trace : traces_)
    all.push_back(trace.get());
  meet(all);
}

void Profiler::cluster_complete(const Cluster& cluster) {
  std::vector<BlockTrace*> live;
  for (const Block* block : cluster.blocks()) {
    BlockTrace* const trace = block->cluster.get() == &cluster ? trace_of(*block) : nullptr;
    if (trace) live.push_back(trace);
  }
  meet(live);
}

void Profiler::meet(const std::vector<BlockTrace*>& traces) {
  uint64_t now = 0;
  horizon_ = 0;
  for (BlockTrace* trace : traces)
    now = std::max(now, trace->clock());
  for (BlockTrace* trace : traces) {
    for (unsigned w = 0; w < trace->warp_count; ++w) {
      WarpTrace& warp = trace->warps[w];
      warp.clock = now + kClocksPerBarrier;
      warp.running |= warp.at_barrier;
      warp.at_barrier = 0;
    }
  }
}

void Profiler::warp_complete(const Block& block, unsigned warp, unsigned arrived) {
  if (BlockTrace* const trace = trace_of(block)) trace->warps[warp].running |= arrived;
  horizon_ = 0;
}

Execution Profiler::execution(unsigned warp) {
  Execution execution;
  execution.table = &table_;
  execution.kernel = kernel_.get();
  execution.l1 = &l1_[current_->slot % kMultiprocessors];
  execution.l2 = thread_->l2.get();
  execution.constants = &constants_[current_->slot % kMultiprocessors];
  execution.loaded = &loaded_;
  execution.stored = &stored_;
  execution.parted = &parted_;
  execution.atomics = &atomics_;
  execution.on_host = &on_host_;
  execution.block = current_->index;
  execution.begun = current_->begun;
  execution.warp = warp;
  execution.launch = thread_->launches;
  return execution;
}

// Lanes reach the end of their buffers one after the other, and each lane lets the others advance a
// little.
void Profiler::flush(unsigned number, bool to_the_end) {
  WarpTrace& warp = current_->warps[number];
  if (!warp.buffer) return;
  replay(warp, execution(number), to_the_end);
  buffers_.make_room(warp);
}

void Profiler::make_room() {
  WarpTrace& warp = *warp_;
  const auto lane = static_cast<unsigned>(lane_ - warp.lanes);
  const auto number = static_cast<unsigned>(&warp - current_->warps);
  const BlockTrace* const trace = current_;
  for (int turn = 0;; ++turn) {
    {
      NoPreemption guard;
      leave();  // the following work is not the thread's
      flush(number, turn > kPatience);
      enter(warp, lane);
    }
    if (recorder.next < recorder.limit - kLaneWords / 4) return;
    yield();
    if (current_ != trace) return;
  }
}

// The thread whose turn comes next, and the time of the turn.
struct Profiler::Turn {
  uint64_t clock = ~uint64_t{0};
  Block* block = nullptr;  // null: a block that has not started
  unsigned id = 0;
  bool operator==(const Turn& other) const {
    return clock == other.clock && block == other.block && id == other.id;
  }
};

// Finds the thread that is furthest behind, apart from the running thread.
Profiler::Turn Profiler::first_turn(uint64_t now) {
  Turn first;
  for (auto& trace : traces_) {
    for (unsigned w = 0; w < trace->warp_count; ++w) {
      const WarpTrace& warp = trace->warps[w];
      if (!warp.running || warp.clock >= first.clock) continue;
      // Each running lane has its own time since the warp was last together.
      for (uint32_t rest = warp.running; rest; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        if (&warp.lanes[i] == lane_) continue;
        const uint64_t clock = warp.clock + (warp.buffer ? time_alone(warp.lanes[i]) : 0);
        if (clock < first.clock) first = {clock, trace->block, w * kLanes + i};
        if (first.clock == warp.clock) break;
      }
    }
  }
  if (context.worker->deal.has_more(*launch_) && now > 0) {
    const uint64_t free_at = slots_.earliest();
    if (free_at != kNever && free_at + kClocksPerBlock < first.clock) {
      first = {free_at + kClocksPerBlock, nullptr, 0};
    }
  }
  return first;
}

// In a turn a thread runs until it waits, and a warp that is behind has up to 32 threads to run. So
// the running thread yields until no thread is behind, or the threads behind do not advance.
void Profiler::before_atomic() {
  Turn last;
  for (;;) {
    save();
    const uint64_t now = warp_->clock + time_alone(*lane_);
    if (now <= horizon_) return;
    const Turn turn = first_turn(now);
    horizon_ = turn.clock;
    if (now <= turn.clock || turn == last) return;
    last = turn;
    set_busy(1);
    run_first(*context.worker, turn.block, turn.id);
    set_busy(0);
  }
}

// On the CPU device blocks run one after the other, so no block waits for a flag. On a GPU the
// blocks whose flags are read run side by side.
void Profiler::use_flag(uint64_t variable, Operation operation) {
  if (operation != Operation::kLoad) {
    flags_.set(variable, current_->begun);
  } else {
    current_->waits |= flags_.is_set_by_another(variable, current_->begun);
  }
}

void Profiler::use_heap() {
  if (kernel_) ++kernel_->heap_calls;
}

void Profiler::use_heap_at(uintptr_t caller) {
  if (kernel_) ++kernel_->heap_calls_at[static_cast<uint32_t>(caller - code_base())];
}

void Profiler::print(uintptr_t caller) {
  if (!kernel_) return;
  ++kernel_->prints;
  ++kernel_->prints_at[static_cast<uint32_t>(caller - code_base())];
}

// Groups of a warp with the same operation need a single instruction: each group counts as its part
// of the warp.
void Profiler::exchanged(unsigned clocks, unsigned instructions, double part) {
  if (!kernel_) return;
  kernel_->exchange_clocks += part * clocks;
  kernel_->exchange_instructions += part * instructions;
}

bool Profiler::is_registered(uintptr_t address) const {
  for (const MemoryRange& range : registered_) {
    if (address >= range.begin && address < range.end) return true;
  }
  return false;
}

void printed_by_kernel(uintptr_t caller) {
  profiler().print(caller);
}

void heap_used_by_kernel(uintptr_t caller) {
  profiler().use_heap_at(caller);
}

bool is_registered(uintptr_t address) {
  return profiler().is_registered(address);
}

void make_room() {
  profiler().make_room();
}

void before_atomic(const volatile void* place) {
  const auto address = reinterpret_cast<uintptr_t>(place);
  if (!recorder.next || !(recorder.arena.has(address) || recorder.variables.has(address))) return;
  profiler().before_atomic();
}

// Variables are numbered by their places, so that two runs do the same.
void use_flag(uintptr_t address, Operation operation) {
  const Recorder& r = recorder;
  if (r.arena.has(address)) {
    profiler().use_flag(address - r.arena.begin, operation);
  } else if (r.variables.has(address)) {
    profiler().use_flag(r.arena.bytes + (address - r.variables.begin), operation);
  }
}

// ---- the host -----------------------------------------------------------------------------------

// The additional instructions of each basic block: its branch, and instructions that a processor
// needs and a GPU does not.
constexpr uint64_t kBlockInstructions = 2;

HostThread& first_use_of_thread() {
  return profiler().host().this_thread();
}

void moved_by_host(size_t bytes) {
  if (!recorder.launching) profiler().host().moved_by_host(bytes);
}

void block_by_host(uintptr_t address) {
  static const BlockTable table;
  const BasicBlock& block = table.find(static_cast<uint32_t>(address - code_base()));
  add_work(host_thread(), kBlockInstructions + block.integer + block.fp32 + block.fp64 +
                              block.special + block.cached);
}

void worked_by_host(uint64_t instructions) {
  if (!recorder.launching) add_work(host_thread(), instructions);
}

void look_by_host(uintptr_t caller, uintptr_t address, uint64_t value) {
  profiler().host().looked_by_host({caller, address, value, 0});
}

void touch_managed(const void* address, size_t bytes) {
  profiler().host().bring_to(Residence::kHost, address, bytes);
}

void Profiler::reset() {
  paused_ = false;
  variable_range = place_variables();
  host_.find_managed_variables();
  host_.reset();
  kernels_.clear();
  written_ = false;
}

void Profiler::write(const char* path) {
  written_ = true;
  write_report(host_, path);
}

const std::string& Profiler::text() {
  written_ = true;
  text_ = report_text(host_);
  return text_;
}

void Profiler::write_at_exit() {
  if (!written_) write(nullptr);
}

}  // namespace cudacpu::profile
