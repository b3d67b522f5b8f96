// Records the host's part of a call: operations in order, by thread, and on which side managed
// memory is. Any OS thread may call these functions.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "profile/gpu/cache.h"
#include "profile/gpu/counters.h"
#include "profile/gpu/touched_sectors.h"

namespace cudacpu::profile {

struct HostThread;

struct HostOperation {
  const char* name;
  uint64_t bytes = 0;
  uint64_t instructions = 0;
  bool pinned = false;
  bool async = false;
  const void* stream = nullptr;  // a handle; numbered in the report
  const void* event = nullptr;
  const Kernel* kernel = nullptr;
  // The thread that was started or joined, or that runs a host function.
  const HostThread* child = nullptr;
  // For a wait for an event: the thread that recorded the event, and the number of the record.
  const HostThread* recorder = nullptr;
  uint64_t record = 0;
};

// Managed memory, and on which side each page is: on neither until the first access.
enum class Residence : uint8_t { kNone, kHost, kDevice };
struct ManagedAllocation {
  size_t bytes;
  uint64_t place;  // the allocation's address in the profile
  std::vector<Residence> pages;
};

// The value that a thread read when polling a variable of other threads, and a hash of the
// addresses that the thread used since the last poll, in order. A waiting loop does the same work
// between its polls, and reads the same value.
struct Look {
  uintptr_t caller = 0, address = 0;
  uint64_t value = 0, path = 0;
  bool operator==(const Look& o) const {
    return caller == o.caller && address == o.address && value == o.value && path == o.path;
  }
};

// The record of a host thread. Each thread has an L2 cache of its own, so that the counters do not
// depend on the order in which threads run.
struct HostThread {
  std::vector<HostOperation> operations;
  // The bytes that the thread moved itself since its last operation; only the thread adds bytes.
  std::atomic<uint64_t> moved{0};
  // The program's instructions that the thread has run since its last operation and that no
  // operation contains yet; only the thread adds instructions.
  std::atomic<uint64_t> worked{0};
  uint64_t worked_since_look = 0;
  uint64_t path = 0;  // of the next Look
  static constexpr size_t kLooks = 4;
  Look looks[kLooks];  // the last kLooks, in a ring
  size_t next_look = 0;
  std::unique_ptr<Cache> l2;
  uint64_t launches = 0;
  uint64_t records = 0;          // of events, so far
  HostThread* caller = nullptr;  // of the host function that this record is for
};

// The record of the running thread, after its first use. Each access of the host ends in these
// functions, so the functions are inline.
extern __thread HostThread* own_thread __attribute__((tls_model("initial-exec")));
HostThread& first_use_of_thread();
inline HostThread& host_thread() {
  return own_thread ? *own_thread : first_use_of_thread();
}
inline void add_work(HostThread& thread, uint64_t instructions) {
  thread.worked_since_look += instructions;
  const uint64_t before = thread.worked.load(std::memory_order_relaxed);
  thread.worked.store(before + instructions, std::memory_order_relaxed);
}

class HostSide {
 public:
  HostSide() { main_thread_ = &this_thread(); }

  void note(HostOperation operation);
  void allocated(const void* base, size_t bytes, bool managed);
  void freed(const void* base);
  // The program's __managed__ variables are managed memory as well.
  void find_managed_variables();
  void prefetched(const void* base, size_t bytes, bool to_host);
  // Notes that the host, or the device by a copy or a fill, uses managed memory: pages on the other
  // side move to `side`, and pages on neither side begin there.
  void bring_to(Residence side, const void* base, size_t bytes);
  void moved_by_host(size_t bytes);
  void looked_by_host(const Look& look);
  // Makes the record of a thread that the calling thread is about to start. The new thread calls
  // run_as() first.
  HostThread* start_thread();
  void run_as(HostThread* thread);
  void thread_ended();
  void joined(const HostThread* thread);
  // A host function runs in a record of its own: on a machine with a GPU a thread of the driver
  // runs the function, after the stream's earlier work.
  void begin_host_function(const void* stream);
  void end_host_function();
  void event_recorded(const void* event, const void* stream);
  // `name`: what waits, "event_sync" for the calling thread, "stream_wait" for a stream.
  void event_awaited(const char* name, const void* event, const void* stream);
  // A kernel that touched these sectors has ended.
  void count_managed_faults(const TouchedSectors& loaded, const TouchedSectors& stored);

  // Of the calling OS thread.
  HostThread& this_thread();
  // Forgets all operations; the calling thread becomes the main thread.
  void reset();

  // Calls function(threads, main thread) while no thread can add an operation, and after each
  // thread has noted its moved bytes.
  template <typename Function>
  void read(Function function) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (HostThread& thread : threads_)
      note_moved(thread);
    note_small_work();
    function(threads_, main_thread_);
  }

 private:
  void note_moved(HostThread& thread);
  void note_small_work();
  void note_managed(const char* name, uint64_t bytes);
  ManagedAllocation* find_managed(uintptr_t address, size_t bytes, size_t* first, size_t* last);

  std::mutex mutex_;
  // The records of all threads, ended threads included, so that a thread's own pointer stays valid;
  // the record of an ended thread is small.
  std::deque<HostThread> threads_;
  HostThread* main_thread_ = nullptr;
  std::atomic<int> running_{1};  // threads of the program
  std::map<uintptr_t, ManagedAllocation> managed_;
  struct Record {
    const HostThread* thread;
    uint64_t number;
  };
  std::map<const void*, Record> recorded_;  // the last record of each event in this call
};

}  // namespace cudacpu::profile
