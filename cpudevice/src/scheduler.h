// The scheduler's own data: who runs where. Internal to the run-time library.
//
// An OS thread that runs blocks is a Worker. A block (Block) stays on its worker. Its CUDA threads
// run one after the other on one fiber, as a loop, until one of them has to wait: from then on that
// fiber is that thread's own (Thread), and a fresh fiber goes on with the loop. So a kernel without
// barriers costs no switch at all.
#pragma once

#include <setjmp.h>
#include <signal.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cudacpu/launch.h"
#include "cudacpu/turns.h"
#include "driver_types.h"
#include "stored_launch.h"

namespace cudacpu {

constexpr unsigned kMaxBlockThreads = 1024;
constexpr unsigned kWarpSize = 32;
constexpr unsigned kMaxWarps = kMaxBlockThreads / kWarpSize;

// ---- fibers (fiber.cpp)
// -----------------------------------------------------------------------------------------

struct Fiber {
  char* stack_top;  // coloured: see FiberPool::grow
  size_t stack_bytes;
};

// The fibers of one worker. Taken and given back in last-in, first-out order, so that warm stacks
// are used again.
class FiberPool {
 public:
  ~FiberPool();
  Fiber* take() {
    if (free_.empty()) grow();
    Fiber* fiber = free_.back();
    free_.pop_back();
    return fiber;
  }
  void give(Fiber* fiber) { free_.push_back(fiber); }
  // The one that take() would return, if there is one.
  const Fiber* next() const { return free_.empty() ? nullptr : free_.back(); }
  // Takes all fibers back, whatever they were doing: after a launch was abandoned.
  void reset();
  // Frees all stacks; the next ones have room for `bytes`.
  void set_stack_bytes(size_t bytes);
  // Makes the stacks larger if a kernel has so many bytes of arguments that copies of them would
  // fill a good part of one.
  void make_room_for_arguments(size_t bytes);
  bool in_guard_page(const void* address) const;
  bool owns(const void* address) const;  // is it on one of the stacks?

 private:
  void grow();

  struct Chunk {
    char* base;
    size_t bytes;
  };
  size_t stack_bytes_ = 0;     // 0: the default
  size_t argument_bytes_ = 0;  // included in them
  std::vector<Chunk> chunks_;
  mutable size_t last_owner_ = 0;  // the chunk that owns() found last
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> free_;
};

// ---- threads, warps and blocks (block.cpp, warp.cpp)
// ------------------------------------------------------------

// A meeting point of the lanes in `mask`. Two views in turn: a lane may be one meeting ahead of
// another that has not yet read the last one's view, but never two.
struct Meeting {
  unsigned mask = 0;
  unsigned arrived = 0;
  unsigned phase = 0;
  WarpView views[2];
#if CUDACPU_DIAGNOSTICS
  // In memory that the diagnostics know not to be the program's.
  static void* operator new(size_t bytes);
  static void operator delete(void* meeting);
#endif
};

struct Warp {
  // At most one more than there are lanes: each lane pins the meeting it was in last.
  std::vector<std::unique_ptr<Meeting>> meetings;
};

struct Worker;
struct Launch;

class ThreadSet {
 public:
  unsigned size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { *this = ThreadSet(); }
  // The caller knows that `id` is no member yet, or is one.
  void add(unsigned id) {
    words_[id / 64] |= uint64_t{1} << id % 64;
    ++size_;
  }
  void remove(unsigned id) {
    words_[id / 64] &= ~(uint64_t{1} << id % 64);
    --size_;
  }
  bool has(unsigned id) const { return words_[id / 64] >> id % 64 & 1; }
  unsigned warp(unsigned warp) const {
    return static_cast<unsigned>(words_[warp / 2] >> 32 * (warp % 2));
  }
  void add_warp(unsigned warp, unsigned lanes) {
    words_[warp / 2] |= static_cast<uint64_t>(lanes) << 32 * (warp % 2);
    size_ += __builtin_popcount(lanes);
  }
  // The first member at or after `id`, else -1.
  int next(unsigned id) const {
    unsigned i = id / 64;
    if (i >= kWords) return -1;
    uint64_t word = words_[i] & ~uint64_t{0} << id % 64;
    while (word == 0) {
      if (++i == kWords) return -1;
      word = words_[i];
    }
    return static_cast<int>(i * 64 + __builtin_ctzll(word));
  }
  // The first at or after `id` that is no member; kMaxBlockThreads at most.
  unsigned next_missing(unsigned id) const {
    unsigned i = id / 64;
    uint64_t word = ~words_[i] & ~uint64_t{0} << id % 64;
    while (word == 0)
      word = ~words_[++i];
    return i * 64 + __builtin_ctzll(word);
  }
  // All from `begin` to before `end`, which are no members yet, or are.
  void add_range(unsigned begin, unsigned end) { change_range(begin, end, 1); }
  void remove_range(unsigned begin, unsigned end) { change_range(begin, end, -1); }
  // The next member after `id`, going round; there must be one.
  unsigned next_after(unsigned id) const {
    int found = next(id + 1);
    return static_cast<unsigned>(found >= 0 ? found : next(0));
  }

 private:
  void change_range(unsigned begin, unsigned end, int by) {
    for (unsigned i = begin / 64; i * 64 < end; ++i) {
      uint64_t bits = ~uint64_t{0};
      if (i * 64 < begin) bits &= ~uint64_t{0} << begin % 64;
      if (end - i * 64 < 64) bits &= ~(~uint64_t{0} << end % 64);
      words_[i] ^= bits;
    }
    size_ += by * (end - begin);
  }

  static constexpr unsigned kWords = kMaxBlockThreads / 64;
  uint64_t words_[kWords + 1] = {};  // the last stays empty: the neighbour of the last thread
  unsigned size_ = 0;
};

struct Block {
  uint64_t number;  // in the grid
  uint3 index;
  unsigned threads;          // in the block
  unsigned next_start;       // the first thread that has not started; stale while the loop runs
  uint3 next_index;          // its index
  ThreadSet alive;           // threads that have waited and not ended
  ThreadSet ready;           // those of them that can go on; not the running one
  ThreadSet parked;          // ended threads that keep their fibers, for another block
  unsigned barrier_arrived;  // when all live threads have, the barrier opens for just those
  BarrierResult reduced;     // of the last barrier
  BarrierResult reducing;    // of the present one
  unsigned grid_arrived;     // threads at the grid barrier
  uint64_t grid_generation;  // the barrier that the whole block waits in
  bool grid_waiting;
  char* shared;
  char* dynamic_shared;
  size_t shared_bytes;  // both
  std::unique_ptr<char, decltype(&free)> function_shared{nullptr, free};
  size_t function_shared_bytes = 0;
  uint64_t prepared_for = 0;   // Launch::number
  char* shared_map = nullptr;  // shared memory ends at a guard page
  std::vector<Thread> thread_states;
  std::vector<Warp> warps;

  Block();
  ~Block();
  // Lays out shared memory for a launch; then begin() starts one block after the other.
  void prepare(const Launch& launch);
  void begin(const Launch& launch, uint64_t linear);
  // All threads of the last block are parked: starts them again.
  void restart();
  bool all_started() const { return next_start >= threads; }
  // Lanes of a warp that still may come to a meeting.
  unsigned present_lanes(unsigned warp) const;
  void release_barrier();
  bool check_barrier();
  void complete(Meeting& meeting, unsigned warp);
  // Completes what threads that ended without ever waiting have held up; then active masks. True if
  // any became ready.
  bool sweep();
};

// ---- launches and workers (launch.cpp)
// --------------------------------------------------------------------------

// Would CUDA launch it? Returns a cudaError_t, and prints what is too much (configuration.cpp).
int check_configuration(const KernelInfo& info, const LaunchConfiguration& c);

// Threads that wait in the same place, for the report of a deadlock.
struct WaitGroup {
  unsigned first, last;
  const char* what;
  unsigned mask;  // 0 where it means nothing
  const void* site;
};

// The first thing that went wrong in a launch. Filled by whoever wins Launch::failed.
struct Failure {
  enum Kind { kNone, kFault, kTrap, kAssert, kDeadlock, kTimeout } kind = kNone;
  int error = 0;
  uint3 block{}, thread{};
  bool thread_known = true;
  // Where, innermost first: addresses in the student's program or in ours.
  static constexpr int kMaxFrames = 12;
  const void* frames[kMaxFrames] = {};
  int frame_count = 0;
  int signal = 0;  // kFault, as are the next three
  const void* address = nullptr;
  bool unknown_address = false;  // the processor does not tell an address that has too many bits
  char access = 0;               // 'r', 'w' or 0: not known
  bool stack_overflow = false;
  const char* shared = nullptr;  // the block's shared memory
  size_t shared_bytes = 0;
  char text[512] = "";           // kTrap and kAssert
  std::vector<WaitGroup> waits;  // kDeadlock
};

struct Launch {
  uint64_t number;  // 1, 2, ...
  KernelInfo* info;
  Body body;
  dim3 grid, block;
  size_t dynamic_bytes;
  bool cooperative;
  uint64_t blocks;
  unsigned threads;
  double started;        // seconds
  size_t most_resident;  // blocks that a GPU would run at a time

  alignas(128) std::atomic<uint64_t> next_block{0};
  alignas(128) std::atomic<int> working{0};  // workers that have joined and not left
  std::atomic<bool> timed_out{false};        // set by the watchdog
  std::atomic<int> failed{0};
  Failure failure;
#if CUDACPU_DIAGNOSTICS
  Failure repaired;  // the first bad access after which the launch went on: it fails in the end
#endif

  DeviceLaunches children;

  std::mutex grid_mutex;
  uint64_t grid_arrived = 0, grid_live = 0;
  std::atomic<uint64_t> grid_generation{0};
  int grid_idle = 0;  // workers that wait for the present generation; guarded by grid_mutex
};

// Runs a kernel with these arguments; returns a cudaError_t.
int run_launch(KernelInfo& info, const Body& body, const LaunchConfiguration& configuration);

struct alignas(256) Worker {
  // Counts block starts, barriers and ends of threads that waited; the watchdog looks whether it
  // moved.
  volatile uint64_t progress = 0;
  Launch* launch = nullptr;
  Block* block = nullptr;        // the running one
  Fiber* fiber = nullptr;        // where the loop over the threads runs
  Thread* first_turn = nullptr;  // the first thread whose quick turn is not booked: see settle()
  std::vector<Block*> resident;  // started, not finished
  std::vector<std::unique_ptr<Block>> spare;
  FiberPool fibers;
  StackPointer main_context = nullptr;  // where work() waits
  StackPointer discarded = nullptr;     // what a fiber leaves that is not to be come back to
  uint64_t run_next = 0, run_end = 0;   // blocks dealt to this worker, not started
  unsigned run_length = 1;
  double run_started = 0;
  unsigned idle_yields = 0;    // since the last progress that was seen
  uint64_t last_progress = 0;  // then
  size_t idle_blocks = 0;      // left like that since a block was started
  uint64_t last_spinner = ~uint64_t{0};
  pthread_t os_thread{};
  bool replaying = false;  // looks for the thread that faulted: see Body::run_simple
  sigjmp_buf recover;

  // Takes part in a launch until there is no block left.
  void work(Launch& launch);
  // Leaves the launch from wherever it is; nothing on the fibers is unwound.
  [[noreturn]] void abandon();
  // Runs the current block once more, with threadIdx kept up to date.
  [[noreturn]] void replay();
};

// Starts the current OS thread's next block, or says that none is left.
bool start_block(Worker& worker);
// Makes `block` the one whose threads run.
void enter_block(Worker& worker, Block& block);
void retire_block(Worker& worker);
// The entry of every fiber, and a stack on which it starts when it is first switched to.
void fiber_main();
#ifdef CUDACPU_BOOST_CONTEXT
StackPointer make_stack(char* top, size_t bytes);
#else
inline StackPointer make_stack(char* top, size_t) {
  auto* words = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15}) - 4;
  words[0] = reinterpret_cast<uint64_t>(&fiber_main);  // where switch_stack() goes on
  words[1] = 0;  // its return address: there is none, and unwinding ends here
  return words;
}
#endif
// Lets other threads, or other blocks, run. `rounds` says that the thread has been at it as long as
// if all that can run had yielded so often in turn.
void yield_now(Worker& worker, unsigned rounds = 0);
#if CUDACPU_DIAGNOSTICS
// Lets a thread that is behind the running one on the profile's clock go first: the thread `id` of
// `block`, or the first one of a block that has not started, if that is null. Returns when it is
// the running thread's turn again.
void run_first(Worker& worker, Block* block, unsigned id);
#endif

// Claims the launch's failure; null if another thread was first.
Failure* claim_failure(Launch& launch, Failure::Kind kind, int error);
// Ends the launch after its failure was claimed.
[[noreturn]] void end_launch(Worker& worker);
// From a return address to the call before it.
inline const void* call_of(const void* site) {
  return static_cast<const char*>(site) - 1;
}
// The watchdog's verdict; `site` is where the thread waits, null if it is running.
[[noreturn]] void report_timeout(Worker& worker, const void* site);

// The range of addresses of the loaded file that holds `code`.
struct CodeRange {
  uintptr_t begin = 0, end = 0;
  bool has(uintptr_t pc) const { return pc >= begin && pc < end; }
};
CodeRange code_range(const void* code);
CodeRange launch_code();  // of the running kernel

// ---- faults (fault.cpp, source_line.cpp)
// ------------------------------------------------------------------------

void install_fault_handlers();  // once per process
void prepare_os_thread();       // once per OS thread that runs kernels: the alternate stack
void signal_worker(Worker& worker);
// Prints what happened, as one sentence, and returns the error to keep.
int report_failure(const Launch& launch);
// "file.cu:12" for the first of these addresses that lies in the student's code, or "" when that is
// not known. Runs addr2line.
std::string source_line(const void* const* frames, int count);
// A path relative to the working directory, if it is below that.
std::string without_directory(const std::string& file);
// For each address all such lines, the innermost of inlined calls first.
std::vector<std::vector<std::string>> source_lines(const std::vector<const void*>& addresses);

// Bytes of all __shared__ variables of device functions.
size_t function_shared_size();

double now_seconds();
double timeout_seconds();  // how long a launch may take

}  // namespace cudacpu
