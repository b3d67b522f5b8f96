// Who ties it together: the launch that runs, its blocks and their traces, and what the host does.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "recorder.h"
#include "scheduler.h"
#include "warp.h"

namespace cudacpu::profile {

// The simulated device: a slice of 8 multiprocessors of an H200, with its share of the L2 cache.
constexpr size_t kL2Bytes = size_t{50} * 1024 * 1024 * kMultiprocessors / 132;
// Of a multiprocessor's 256 KiB, what shared memory leaves; never less than this.
constexpr size_t kL1Bytes = size_t{256} * 1024;
constexpr size_t kLeastL1Bytes = size_t{28} * 1024;
constexpr int kRegisters = 32;  // a guess: registers are the GPU compiler's business

struct HostOperation {
  const char* name;
  uint64_t bytes = 0;
  uint64_t instructions = 0;
  bool pinned = false;
  bool async = false;
  const void* stream = nullptr;  // a handle; numbered in the report
  const void* event = nullptr;
  const Kernel* kernel = nullptr;
  uint64_t repeats = 1;
};

// The trace of a block that runs or waits.
struct BlockTrace {
  Block* block = nullptr;
  Warp warps[kMaxWarps];
  unsigned warp_count = 0;
  unsigned slot = 0;
  uint64_t begin = 0;
  uint64_t barriers = 0;
  uint3 index{};
  uintptr_t shared = 0, function_shared = 0;

  uint64_t clock() const;
};

// Managed memory, and on which side each page is: nowhere until it is first touched.
enum class Residence : uint8_t { kNone, kHost, kDevice };
struct ManagedAllocation {
  size_t bytes;
  std::vector<Residence> pages;
};

// What a host thread did. Each has an L2 cache of its own, so that what is counted does not depend
// on how the threads take turns.
struct HostThread {
  std::vector<HostOperation> operations;
  // Bytes that it moved itself since its last operation; only the thread adds to them.
  std::atomic<uint64_t> moved{0};
  // Instructions of the program's own that it ran since; likewise.
  std::atomic<uint64_t> worked{0};
  uint64_t worked_since_look = 0;  // at what other threads change
  std::unique_ptr<Cache> l2;
  uint64_t launches = 0;
};

class Profiler {
 public:
  Profiler();

  // ---- kernels: only the OS thread that launches ----
  void launch_begin(const Launch& launch, void* stream);
  void launch_end();
  void block_begin(const Block& block);
  void block_resume(const Block& block);
  void block_end(const Block& block);
  void thread_begin(unsigned id, uintptr_t frame);
  void thread_resume(unsigned id);
  void thread_end(unsigned id);
  void arrive(unsigned id, uint8_t kind, uint64_t mask, const void* site);
  void barrier_complete(const Block& block);
  void warp_complete(const Block& block, unsigned warp, unsigned arrived);
  void grid_complete();
  void make_room();
  void before_atomic();

  // ---- host: any OS thread ----
  void host(HostOperation operation);
  void allocated(const void* base, size_t bytes, bool managed);
  void freed(const void* base);
  void prefetched(const void* base, size_t bytes, bool to_host);
  void touch_managed(const void* address, size_t bytes);
  void moved_by_host(size_t bytes);
  void worked_by_host(uint64_t instructions);
  void looked_by_host();

  // Forgets everything counted so far, and goes on counting if it was paused.
  void reset();
  // Does not look at kernels until it is reset.
  void pause() { paused_ = true; }
  // Writes the profile; null: to the file named by CUDACPU_PROFILE.
  void write(const char* path);
  void write_at_exit();

 private:
  friend class Report;

  BlockTrace* trace_of(const Block& block);
  Warp& warp_of(unsigned id) { return current_->warps[id / kLanes]; }
  void leave();
  void enter(Warp& warp, int lane);
  void flush(unsigned warp, bool to_the_end);
  void take_buffer(Warp& warp);
  void give_buffer(Warp& warp);
  Execution execution(unsigned warp);
  Kernel& kernel_of(const Launch& launch);
  struct Turn;
  Turn first_turn(uint64_t now);
  void find_variables();
  void count_managed_faults();
  void find_host_memory();
  HostThread& this_thread();
  void note_moved(HostThread& thread);
  void note_managed(const char* name, uint64_t bytes);
  ManagedAllocation* find_managed(uintptr_t address, size_t bytes, size_t* first, size_t* last);

  BlockTable table_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<Cache> l1_;
  TouchedSectors loaded_, stored_;
  std::unordered_map<uint64_t, uint64_t> atomics_;

  const Launch* launch_ = nullptr;
  Kernel* kernel_ = nullptr;
  HostThread* thread_ = nullptr;  // that launched it
  std::vector<uint64_t> slots_;   // when each is free, in clocks
  std::vector<bool> slot_taken_;
  std::vector<std::unique_ptr<BlockTrace>> traces_;  // in the order in which they began
  uint64_t horizon_ = 0;                             // until then nobody else's turn comes
  std::vector<std::unique_ptr<BlockTrace>> spare_traces_;
  std::vector<Event*> spare_buffers_;
  BlockTrace* current_ = nullptr;
  Warp* warp_ = nullptr;  // of the running thread
  int lane_ = 0;

  HostPlaces on_host_;  // as the launch found them

  std::mutex host_mutex_;
  // All there ever were, so that a thread's own pointer stays good: one that has ended costs
  // little.
  std::deque<HostThread> host_;
  const HostThread* main_thread_ = nullptr;
  std::map<uintptr_t, ManagedAllocation> managed_;
  bool written_ = false;
  std::atomic<bool> paused_{false};
};

Profiler& profiler();

}  // namespace cudacpu::profile
