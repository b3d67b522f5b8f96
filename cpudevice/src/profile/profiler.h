// The profiler: combines the running launch, its blocks and their traces, and the host's
// operations.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "memory/arena.h"
#include "profile/gpu/flags.h"
#include "profile/gpu/slots.h"
#include "profile/host_side.h"
#include "profile/replay/block_trace.h"
#include "profile/replay/replay.h"
#include "profile/trace/basic_blocks.h"
#include "profile/trace/recorder.h"

namespace cudacpu::profile {

class Profiler {
 public:
  Profiler();

  // For kernels; only the OS thread of the launch may call these.
  void launch_begin(const Launch& launch, void* stream);
  void launch_end();
  void block_begin(const Block& block);
  void block_resume(const Block& block);
  void block_end(const Block& block);
  void thread_begin(unsigned id, uintptr_t frame);
  void thread_resume(unsigned id);
  void thread_end(unsigned id);
  void blocks_abandoned();
  void arrive(unsigned id, uint8_t kind, uint64_t mask, const void* site);
  void barrier_complete(const Block& block);
  void warp_complete(const Block& block, unsigned warp, unsigned arrived);
  void grid_complete();
  void cluster_complete(const Cluster& cluster);
  void make_room();
  void before_atomic();
  // The running thread reads or sets a volatile or atomic variable in global memory.
  void use_flag(uint64_t variable, Operation operation);
  bool is_registered(uintptr_t address) const;
  // A kernel's thread allocates or frees memory, or prints; the call returns to `caller`.
  void use_heap();
  void use_heap_at(uintptr_t caller);
  // Adds the cost of a warp's exchange, besides the meeting itself.
  void exchanged(unsigned clocks, unsigned instructions, double part);
  void print(uintptr_t caller);

  // For the host; any OS thread may call these.
  HostSide& host() { return host_; }

  // Forgets all counts, and ends a pause.
  void reset();
  // Ignores kernels until the next reset.
  void pause() { paused_ = true; }
  // Writes the profile to `path`; null stands for the file that CUDACPU_PROFILE names.
  void write(const char* path);
  // Returns the profile as text, valid until the next call.
  const std::string& text();
  void write_at_exit();

 private:
  // The blocks go on at the same time, after a barrier.
  void meet(const std::vector<BlockTrace*>& traces);
  BlockTrace* trace_of(const Block& block);
  WarpTrace& warp_of(unsigned id) { return current_->warps[id / kLanes]; }
  // save() stores how far the running thread has come; leave() also stops the recording.
  inline void save();
  inline void leave();
  inline void enter(WarpTrace& warp, unsigned lane);
  void begin_to_record(WarpTrace& warp, unsigned lane);
  void flush(unsigned warp, bool to_the_end);
  Execution execution(unsigned warp);
  void add_launch();
  struct Turn;
  Turn first_turn(uint64_t now);
  void find_host_memory();

  BlockTable table_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<Cache> l1_, constants_;
  TouchedSectors loaded_, stored_;
  PartedSectors parted_;
  uint64_t blocks_begun_ = 0;
  std::unordered_map<uint64_t, uint64_t> atomics_;
  Flags flags_;

  const Launch* launch_ = nullptr;
  std::unique_ptr<Kernel> kernel_;  // null: the launch is not counted
  void* stream_ = nullptr;          // the launch's stream
  HostThread* thread_ = nullptr;    // the launching thread
  Slots slots_;
  std::vector<std::unique_ptr<BlockTrace>> traces_;  // in the order in which they began
  uint64_t horizon_ = 0;                             // until this time no other block has a turn
  std::vector<std::unique_ptr<BlockTrace>> spare_traces_;
  TraceBuffers buffers_;
  BlockTrace* current_ = nullptr;
  WarpTrace* warp_ = nullptr;  // of the recording thread
  Lane* lane_ = nullptr;       // the recording thread's lane

  HostPlaces on_host_;  // as the launch found them, as registered_
  std::vector<MemoryRange> registered_;

  HostSide host_;
  std::string text_;
  bool written_ = false;
  std::atomic<bool> paused_{false};
};

// ---- the work at each switch from thread to thread, inlined ----

inline void Profiler::save() {
  if (recorder.next) lane_->next = recorder.next;
}

inline void Profiler::leave() {
  save();
  recorder.next = nullptr;
}

inline void Profiler::enter(WarpTrace& warp, unsigned lane) {
  if (!warp.buffer) return begin_to_record(warp, lane);
  warp_ = &warp;
  lane_ = &warp.lanes[lane];
  const Lane& entered = *lane_;
  recorder.next = entered.next;
  recorder.limit = entered.begin + kLaneWords - kSlack;
  recorder.origin = entered.origin;
  recorder.frame = entered.frame;
  recorder.arguments = 0;
}

inline void Profiler::thread_resume(unsigned id) {
  if (!current_) return;
  leave();
  enter(warp_of(id), id % kLanes);
}

inline void Profiler::arrive(unsigned id, uint8_t kind, uint64_t mask, const void* site) {
  Event* const next = recorder.next;
  if (!current_ || !next) return;
  // The event has no depth of its own: threads meet, however deep their calls are.
  const auto caller = reinterpret_cast<uintptr_t>(site);
  next[0] = event_at(recorder.origin, kind, recorder.frame, caller);
  next[1] = mask;
  WarpTrace& warp = *warp_;  // the running thread's
  const uint32_t lane = 1u << id % kLanes;
  if (kind == kBarrier) warp.at_barrier |= lane;
  warp.running &= ~lane;
  lane_->next = next + 2;
  // Until recording resumes the buffer is free for the next warp, which finds the buffer in the
  // cache.
  recorder.next = nullptr;
  if (!warp.running) flush(id / kLanes, false);
}

// The program's profiler, and the function that makes the profiler at the first use.
extern std::atomic<Profiler*> made_profiler;
Profiler& make_profiler();
inline Profiler& profiler() {
  Profiler* const made = made_profiler.load(std::memory_order_acquire);
  return made ? *made : make_profiler();
}
// The profiler while a kernel runs: exists already.
inline Profiler& running_profiler() {
  return *made_profiler.load(std::memory_order_relaxed);
}

// ---- called by hooks, about the running thread ----

// A kernel's thread prints a text, or allocates or frees, in a call that returns to `caller`.
void printed_by_kernel(uintptr_t caller);
void heap_used_by_kernel(uintptr_t caller);

// Whether the program registered the host memory at this address.
bool is_registered(uintptr_t address);

// Makes room: replays as much as possible, and lets other threads run until a replay is possible.
void make_room();

// A thread is about to read and change memory visible to other threads: threads that are behind on
// the virtual clock go first.
void before_atomic(const volatile void* place);

// A thread is about to read or set a volatile or atomic variable, through which blocks may wait for
// each other.
void use_flag(uintptr_t address, Operation operation);

// The host touches managed memory, or may do so.
void touch_managed(const void* address, size_t bytes);

// The host moves bytes of its memory itself: by memcpy and similar functions, or by a loop over
// memory that came from CUDA. Only the thread itself counts the bytes, and no thread waits.
void moved_by_host(size_t bytes);

// The host runs the basic block at this address.
void block_by_host(uintptr_t address);
// The host called a library function that takes this many instructions.
void worked_by_host(uint64_t instructions);
// The host reads a variable that several threads may poll.
void look_by_host(uintptr_t caller, uintptr_t address, uint64_t value);

}  // namespace cudacpu::profile
