// Receives the scheduler's events: launches, blocks, threads, barriers and meetings, and the end of
// the program.
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <map>
#include <memory>

#include "base/error.h"
#include "sanitize/access.h"
#include "sanitize/access_reports.h"
#include "sanitize/findings/findings.h"
#include "sanitize/findings/thread_names.h"
#include "sanitize/memory/allocations.h"
#include "sanitize/memory/program_memory.h"
#include "sanitize/memory/shadow.h"
#include "sanitize/order/epochs.h"
#include "sanitize/order/order.h"
#include "sanitize/order/streams.h"
#include "sanitize/polled_flags.h"
#include "scheduler/threads/worker.h"

namespace cudacpu::sanitize {
namespace {

constexpr int kFindingsStatus = 86;  // instead of 0
constexpr size_t kMostRepairedPages = 4096;
size_t repaired_pages;

BlockState& state_of(const Block& block) {
  static auto* const states = new std::map<const Block*, std::unique_ptr<BlockState>>;
  static const Block* last;
  static BlockState* last_state;
  if (last == &block) return *last_state;
  auto& state = (*states)[&block];
  if (!state) {
    state = std::make_unique<BlockState>();
    state->block = &block;
  }
  last = &block;
  last_state = state.get();
  return *state;
}

// Opens shared memory for a new launch; all of its bytes count as not written.
void prepare_shared(BlockState& state, const Block& block) {
  const SharedRange &kernel = block.memory.of_kernel(), &functions = block.memory.of_functions();
  if (!state.shared.bytes) {
    // Includes the guard page, and room for accesses that are even farther away.
    state.shared.begin = reinterpret_cast<uintptr_t>(block.memory.map().begin);
    state.shared.bytes = block.memory.map().bytes;
    state.shared.map_shadow();
  }
  const auto begin = reinterpret_cast<uintptr_t>(kernel.begin);
  if (state.prepared_for != block.prepared_for) {
    state.prepared_for = block.prepared_for;
    state.shared.clear_state(state.shared.begin, state.shared.bytes, kAllValid);
    state.shared.set_state(begin, kernel.bytes, 0xF0);
    if (state.function_shared.begin != reinterpret_cast<uintptr_t>(functions.begin)) {
      state.function_shared.begin = reinterpret_cast<uintptr_t>(functions.begin);
      state.function_shared.bytes = functions.bytes;
      state.function_shared.map_shadow();
    }
  } else {
    state.shared.clear_state(begin, kernel.bytes, 0x0F);
  }
  // Without clusters, the epochs tell the records of earlier blocks apart.
  const bool clusters = context.worker->launch->cluster_blocks > 1;
  if (clusters) state.shared.forget_records(begin, kernel.bytes);
  if (clusters && state.function_shared.bytes)
    state.function_shared.forget_records(state.function_shared.begin, state.function_shared.bytes);
  if (state.function_shared.bytes) {
    state.function_shared.set_state(state.function_shared.begin, state.function_shared.bytes, 0xF0);
    state.function_shared.clear_state(state.function_shared.begin, state.function_shared.bytes,
                                      0x0F);
  }
}

// Mostly both pointers are equal.
bool same_text(const char* one, const char* other) {
  return one == other || strcmp(one, other) == 0;
}

unsigned token;  // of the current __syncthreads call; 0 for barriers without a token

std::string name_of(unsigned thread) {
  return thread_name(thread, blockDim, blockIdx);
}

// Returns the threads of the first list that the second does not have.
ThreadSet without(const ThreadSet& threads, const ThreadSet& others) {
  ThreadSet rest;
  for (int id = threads.next(0); id >= 0; id = threads.next(id + 1)) {
    if (!others.has(id)) rest.add(id);
  }
  return rest;
}

std::string mask_text(unsigned mask) {
  char text[16];
  snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

std::string seconds_text(double seconds) {
  char text[32];
  snprintf(text, sizeof text, "%g", seconds);
  return text;
}

constexpr const char* kOutOfBranch =
    "take the call out of the branch, so that all lanes in the mask reach it";

// Some threads have ended, so the barrier opens for the others.
void report_missed_barrier(const BlockState& block) {
  const ThreadSet around = without(block.exited, block.returned);
  const bool returned = around.empty();
  Report report;
  report.cause = Cause::kBarrier;
  report.place.pc = block.barrier_site;
  report.threads = returned ? block.exited : around;
  const std::string who = threads_text(report.threads, blockDim);
  const bool one = report.threads.size() == 1;
  if (returned) {
    report.sentence = who + " returned from the kernel before this " + block.barrier_what +
                      ", where the rest of the block waits: every thread has to reach it, so "
                      "return only after the last barrier";
  } else {
    report.sentence = who + " went round this " + block.barrier_what + " and " +
                      (one ? "is" : "are") +
                      " at the end of the kernel, while the rest of the block waits here: take it "
                      "out of the branch or loop that only some threads enter";
  }
  add_finding(report);
}

// A meeting is over, and lanes in its mask have ended without the call. Lanes that returned earlier
// take no part (only their values must not be read); the others took another branch.
void report_absent_lanes(const BlockState& block, const Block& scheduled, unsigned first,
                         unsigned absent, unsigned mask) {
  const unsigned warp_begin = first / kWarpSize * kWarpSize;
  ThreadSet around;
  for (unsigned rest = absent; rest; rest &= rest - 1) {
    const unsigned thread = warp_begin + __builtin_ctz(rest);
    if (thread < scheduled.threads.count() && !block.returned.has(thread)) around.add(thread);
  }
  if (around.empty()) return;
  Report report;
  report.cause = Cause::kMask;
  report.place.pc = block.warp_site[first];
  const bool one = around.size() == 1;
  report.sentence = name_of(first) + " calls " + block.warp_what[first] + " with mask " +
                    mask_text(mask) + ", which names " + threads_text(around, blockDim) +
                    " too: " + (one ? "that thread" : "these threads") +
                    " took another branch and ended without this call, so the result lacks " +
                    (one ? "its value; " : "their values; ") + kOutOfBranch;
  report.threads.add(first);
  add_finding(report);
}

// Reports the end of the launch, unless the cause is a finding already.
void report_failure_of(const Launch& launch, size_t findings_before) {
  const Failure& failure = launch.failure;
  Report report;
  ThreadSet threads;
  for (int i = 0; i < failure.frame_count; ++i) {
    report.trace.frame[report.trace.count++] = static_cast<const char*>(failure.frames[i]) + 1;
  }
  const dim3& d = launch.block;
  threads.add(failure.thread.x + d.x * (failure.thread.y + d.y * failure.thread.z));
  if (failure.kind == Failure::kFault && failure.stack_overflow) {
    report.cause = Cause::kStack;
    report.sentence =
        "a thread needs more stack than there is: the recursion is too deep, or the local arrays "
        "are too large; "
        "cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives more";
  } else if (failure.kind == Failure::kFault && failure.signal != SIGFPE &&
             finding_count() == findings_before) {
    report.cause = Cause::kBadAccess;
    report.sentence =
        "an access that the instrumentation has not seen hits an address that is not mapped";
  } else if (failure.kind == Failure::kTrap && strstr(failure.text, "mask")) {
    report.cause = Cause::kMask;
    report.sentence = std::string("a thread ") + failure.text;
  } else if (failure.kind == Failure::kTrap && strstr(failure.text, "not a multiple of")) {
    report.cause = Cause::kMisaligned;
    report.sentence = std::string("a thread ") + failure.text;
  } else if (failure.kind == Failure::kTrap && strstr(failure.text, "whole grid")) {
    report.cause = Cause::kBarrier;
    report.sentence = std::string("a thread ") + failure.text;
  } else if (failure.kind == Failure::kDeadlock) {
    bool masks = !failure.waits.empty(), masked = false;
    threads.clear();
    for (const WaitGroup& group : failure.waits) {
      masks &= group.mask != 0;
      masked |= group.mask != 0;
      for (unsigned id = group.first; id <= group.last; ++id)
        threads.add(id);
    }
    report.cause = masks ? Cause::kMask : Cause::kBarrier;
    report.sentence = "nothing can run any more: ";
    size_t shown = 0;
    for (const WaitGroup& group : failure.waits) {
      if (shown == 2) {
        report.sentence += "; and others";
        break;
      }
      ThreadSet some;
      for (unsigned id = group.first; id <= group.last; ++id)
        some.add(id);
      if (shown) report.sentence += "; ";
      report.sentence += threads_text(some, launch.block) +
                         (group.first == group.last ? " waits in " : " wait in ") + group.what;
      if (group.mask) report.sentence += " with mask " + mask_text(group.mask);
      if (shown == 0) {
        report.place.pc = group.site;
      } else {
        report.other.pc = group.site;
        report.sentence += " at {other}";
      }
      ++shown;
    }
    const bool parted = failure.waits.size() > 1;
    if (masked) {
      report.sentence += std::string(": ") + kOutOfBranch;
    } else if (parted) {
      report.sentence += ": take the barrier out of the branch, so that all threads reach it";
    }
  } else if (failure.kind == Failure::kTimeout) {
    report.cause = Cause::kTimeout;
    report.sentence = "the kernel was stopped here after " + seconds_text(launch.time_limit) +
                      (launch.no_block_began ? " seconds in which no block began" : " seconds") +
                      " under sanitize: does this loop ever end?";
  } else {
    return;
  }
  add_launch_finding(report, launch, failure.block, threads);
}

size_t findings_before_launch, findings_written;

void save() {
  if (finding_count() == findings_written) return;
  findings_written = finding_count();
  write_findings();
}

// ---- the end of the program ------------------------------------------------------------------

void report_leaks() {
  for (int number : live_allocations()) {
    const AllocationInfo info = allocation_info(number);
    Report report;
    report.cause = Cause::kLeak;
    report.allocation = number;
    report.trace = info.made;
    report.detail = static_cast<uint64_t>(number);
    report.sentence = "never freed: {allocation}" +
                      (info.kernel.empty() ? "" : " in kernel " + info.kernel) + "; " +
                      free_function(info) + " gives it back";
    add_finding(report);
  }
}

void at_exit(int status, void*) {
  // After a failure a program may end in any way.
  if (status == 0 && !sticky_error()) report_leaks();
  if (!finding_count()) return;
  fflush(nullptr);
  write_findings();
  print_findings();
  if (status == 0) _exit(kFindingsStatus);
}

// The host crashes: writes the findings before the signal ends the program. stdio is not safe in a
// signal handler, but a crashing program has nothing left to lose.
void at_crash(int signal) {
  static volatile sig_atomic_t entered;
  ::signal(signal, SIG_DFL);
  if (!entered) {
    entered = 1;
    alarm(5);  // if the heap's lock is held, for instance
    ::signal(SIGALRM, SIG_DFL);
    if (finding_count()) {
      write_findings();
      print_findings();
    }
    alarm(0);
  }
  raise(signal);
}

// Runs before the program's constructors, so that at_exit runs after all its destructors.
__attribute__((constructor(101))) void begin_program() {
  on_exit(at_exit, nullptr);
  for (int signal : {SIGABRT, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction action = {};
    action.sa_handler = at_crash;
    action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace
}  // namespace cudacpu::sanitize

namespace cudacpu::observe {

using namespace cudacpu::sanitize;

void launch_begin(const Launch& launch, void* stream) {
  prepare_arena();
  refresh_address_ranges();
  findings_before_launch = finding_count();
  begin_launch(launch, static_cast<cudaStream_t>(stream));
  forget_releases();
}

void launch_end(const Launch& launch, int error) {
  settle();
  settle_all_flags();
  if (error) report_failure_of(launch, findings_before_launch);
  end_launch_in_stream();
  save();
}

void block_begin(const Block& block) {
  settle();
  BlockState& state = state_of(block);
  prepare_shared(state, block);
  begin_block(state, new_instance(current_operation(), block.number));
}

void block_resume(const Block& block) {
  settle();
  BlockState& state = state_of(block);
  if (state.serial) resume_block(state);
}

void block_end(const Block& block) {
  settle();
  BlockState& state = state_of(block);
  settle_flags(state.epoch);
  if (!block.cluster) return;
  state.ended = true;
  if (!state.visit) return;
  // The end of the block comes after the accesses that any of its threads knows of.
  pass_barrier(state, block.threads.count());
  if (!ordered(state.visit)) report_early_end(state, state.visit);
}

void cluster_begin(const Cluster& cluster) {
  std::vector<BlockState*> states;
  for (const Block* block : cluster.blocks())
    states.push_back(&state_of(*block));
  for (BlockState* state : states) {
    state->cluster = states;
    state->cluster_serial = states[0]->serial;
    state->cluster_before = 0;
  }
}

void cluster_complete(const Cluster& cluster) {
  settle();
  std::vector<BlockState*> live;
  for (const Block* block : cluster.blocks()) {
    BlockState& state = state_of(*block);
    if (block->cluster.get() != &cluster || state.ended) continue;
    settle_flags(state.epoch);
    live.push_back(&state);
  }
  pass_cluster_barrier(live);
}

void thread_begin(unsigned id) {
  settle();
  set_thread(id);
}
void thread_resume(unsigned id) {
  settle();
  set_thread(id);
}
void thread_end(unsigned id) {
  settle();
  now.block->exited.add(id);
  ++now.block->exits;
}
void blocks_abandoned() {}

void barrier(unsigned number) {
  token = number;
}

void barrier_arrive(unsigned id, const char* what, const void* site) {
  settle();
  BlockState& block = *now.block;
  const unsigned mine = token;
  token = 0;
  if (block.arrivals++ == 0) {
    block.barrier_token = mine;
    block.barrier_site = site;
    block.barrier_what = what;
    block.first_arrival = id;
    return;
  }
  if (mine == block.barrier_token && same_text(what, block.barrier_what)) return;
  // After a divergence each thread of a block waits at the next barrier on its way.
  if (block.parted) return;
  block.parted = true;
  Report report;
  report.cause = Cause::kBarrier;
  report.place.pc = site;
  report.other.pc = block.barrier_site;
  report.sentence = name_of(id) + " comes to this " + what + " while thread " +
                    thread_number(block.first_arrival, blockDim) + " waits in the " +
                    block.barrier_what +
                    " at {other}: all threads of a block have to meet at the "
                    "same one, so it must not stand in a branch that only some of them take";
  add_finding(report);
}

void barrier_complete(const Block& scheduled) {
  settle();
  BlockState& block = state_of(scheduled);
  const unsigned arrivals = block.arrivals;
  block.arrivals = 0;
  // Threads that have waited at different barriers never meet again; the divergence was reported.
  if (arrivals < scheduled.threads.count() && block.exits && !block.parted)
    report_missed_barrier(block);
  block.passed_site = block.barrier_site;
  settle_flags(block.epoch);
  pass_barrier(block, arrivals);
}

void warp_arrive(unsigned id, unsigned, const char* what, const void* site) {
  settle();
  now.block->warp_what[id] = what;
  now.block->warp_site[id] = site;
}

void warp_complete(const Block& scheduled, unsigned warp, unsigned mask, unsigned arrived) {
  BlockState& block = state_of(scheduled);
  if (!arrived) return;
  const unsigned first = warp * kWarpSize + __builtin_ctz(arrived);
  for (unsigned rest = arrived; rest; rest &= rest - 1) {
    const unsigned thread = warp * kWarpSize + __builtin_ctz(rest);
    if (same_text(block.warp_what[thread], block.warp_what[first])) continue;
    Report report;
    report.cause = Cause::kMask;
    report.place.pc = block.warp_site[thread];
    report.other.pc = block.warp_site[first];
    report.sentence = name_of(thread) + " calls " + block.warp_what[thread] + " while thread " +
                      thread_number(first, blockDim) +
                      " of the same warp, named in the same mask, calls " + block.warp_what[first] +
                      " at {other}: " + kOutOfBranch;
    report.threads.add(thread);
    add_finding(report);
    block.parted = true;
    break;
  }
  if (!block.parted) report_absent_lanes(block, scheduled, first, mask & ~arrived, mask);
  // Only these functions order memory; a shuffle or a vote does not.
  const char* what = block.warp_what[first];
  if (strncmp(what, "__syncwarp", 10) == 0 || strncmp(what, "sync() of", 9) == 0)
    join_lanes(block, warp, arrived);
}

void returning() {
  ThreadSet& returned = now.block->returned;
  if (!returned.has(now.thread)) returned.add(now.thread);
}

void active_mask(const Block&, unsigned, unsigned) {}

void absent_lane_read(unsigned source) {
  NoPreemption guard;
  const Worker& worker = *context.worker;
  const unsigned first = now.thread / kWarpSize * kWarpSize;
  const Thread* thread = context.thread;
  if (first + source >= worker.block->threads.count() || !thread || !(thread->mask >> source & 1))
    return;
  Report report;
  report.cause = Cause::kMask;
  report.place.pc = __builtin_return_address(0);
  report.sentence = name_of(now.thread) + " asks for the value of lane " + std::to_string(source) +
                    ", which its mask names though that thread has returned from the kernel";
  add_finding(report);
}

// A copy counts as a write when the copy begins, and again when the copy ends: in between no other
// thread may access the destination, and a read of the destination is an uninitialised read.
constexpr uint8_t kWritten = 0x0F;
void copy_begins(void* to, size_t bytes, const void* site, const void*) {
  note_copy_site(site);
  access_range(to, bytes, true, site);
  const auto address = reinterpret_cast<uintptr_t>(to);
  if (Region* shared = shared_region(address)) shared->clear_state(address, bytes, kWritten);
}
void copy_ends(void* to, size_t bytes, const void* site) {
  access_range(to, bytes, true, site);
}

// For races a load belongs to the thread that started the load, whichever thread waits for it
// first.
void bulk_copy_begins(void* to, const void* from, size_t bytes, const void* site,
                      const void* frame) {
  access_range(from, bytes, false, site);
  copy_begins(to, bytes, site, frame);
}
void bulk_copy_ends(void* to, size_t bytes, const void* site) {
  const auto address = reinterpret_cast<uintptr_t>(to);
  if (Region* shared = shared_region(address)) {
    settle();
    shared->set_state(address, bytes, kWritten);
  } else {
    access_range(to, bytes, true, site);
  }
}
void bulk_source_read(const void* from, size_t bytes, const void* site) {
  access_range(from, bytes, false, site);
}

void matrix_product(unsigned, unsigned, unsigned) {}

// Threads that have waited know what other threads did before their arrival.
void named_arrive(const void* barrier) {
  settle();
  pass_fence(false);
  release(reinterpret_cast<uintptr_t>(barrier));
}
void named_pass(const void* barrier) {
  acquire(reinterpret_cast<uintptr_t>(barrier));
}

void grid_arrive(unsigned, const char*, const void*) {}

void grid_complete(const Launch&) {
  // Everything before the barrier, in any block, is ordered before everything after.
  Worker& worker = *context.worker;
  const uint32_t first = next_epoch();
  for (const Block* block : worker.blocks.all())
    begin_epoch(state_of(*block));
  now.ordered_before = first;
}

void fence(Scope scope) {
  if (!context.worker) return;
  NoPreemption guard;
  pass_fence(scope != Scope::kBlock);
}

void call_stopped(const void* const* frames, int count, double seconds) {
  Report report;
  report.cause = Cause::kTimeout;
  for (int i = 0; i < count && i < kMostFrames; ++i)
    report.trace.frame[report.trace.count++] = static_cast<const char*>(frames[i]) + 1;
  report.sentence = "the host's code was stopped here after " + seconds_text(seconds) +
                    " seconds under sanitize: does this loop ever end?";
  add_finding(report);
  write_findings();
  print_findings();
}

bool repair_fault(const void* address, bool write, const void* pc) {
  const auto a = reinterpret_cast<uintptr_t>(address);
  if (!context.worker) {
    if (!open_managed_page(a)) return false;
    check_host_conflict(a, 1, write, kPlain, static_cast<const char*>(pc) + 1);
    return true;
  }
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  if (!arena.has(a) || ++repaired_pages > kMostRepairedPages) return false;
  return mprotect(reinterpret_cast<void*>(a / page * page), page, PROT_READ | PROT_WRITE) == 0;
}

}  // namespace cudacpu::observe

extern "C" {

// Declared for programs in include/cudacpu_findings.h.
void cudacpu_findings_to(cudacpu::sanitize::Note note) {
  cudacpu::sanitize::send_findings_to(note);
}
void cudacpu_findings_write() {
  if (cudacpu::sanitize::finding_count()) cudacpu::sanitize::write_findings();
}
}
