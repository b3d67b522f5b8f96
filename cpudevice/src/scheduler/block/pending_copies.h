// The copies that the threads of a block have started and not waited for: of the kind cp.async, see
// include/cudacpu/device/async_copy.h, and bulk copies, see include/cudacpu/device/mbarrier.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudacpu {

struct AsyncCopy {
  void* to;
  uint64_t low, high;  // the data
  unsigned bytes;
  const void* site;  // of the start
};

// The copies of one thread.
class AsyncCopies {
 public:
  void add(const AsyncCopy& copy) { copies_.push_back(copy); }
  void commit() { groups_.push_back(copies_.size()); }
  // Carries out groups until at most `left` are pending.
  void wait(size_t left);
  // Returns the pending copy to this byte; null if there is none.
  const AsyncCopy* copy_to(uintptr_t address) const;

 private:
  std::vector<AsyncCopy> copies_;
  std::vector<size_t> groups_;  // the end of each in `copies_`
  size_t done_ = 0;             // copies
  size_t done_groups_ = 0;
};

struct BulkCopy {
  void* to;
  const void* from;
  std::vector<char> data;  // read at the start
  void* mbarrier;          // of a copy to shared memory
  const void* site;        // of the start
};

// The bulk copies of one thread to global memory.
class BulkStores {
 public:
  void add(BulkCopy copy) { copies_.push_back(std::move(copy)); }
  void commit() { groups_.push_back(copies_.size()); }
  // Carries out groups until at most `left` are pending; if `read`, only releases their sources.
  void wait(size_t left, bool read);
  // Carries out all copies, unnoticed by the observer.
  void finish();

 private:
  std::vector<BulkCopy> copies_;
  std::vector<size_t> groups_;  // the end of each in `copies_`
  size_t read_ = 0, written_ = 0;
};

class PendingCopies {
 public:
  // The block has ended: carries out its bulk stores, and drops all other copies.
  void end() {
    if (!async_.empty() || !loads_.empty() || !stores_.empty()) finish();
  }
  AsyncCopies& async_copies(unsigned thread) { return of_thread(async_, thread); }
  BulkStores& bulk_stores(unsigned thread) { return of_thread(stores_, thread); }
  void add_bulk_load(BulkCopy copy) { loads_.push_back(std::move(copy)); }
  // Carries out the bulk loads whose bytes the mbarrier counts.
  void finish_bulk_loads(void* mbarrier);
  struct Copy {
    const void* site = nullptr;
    bool is_bulk = false;
    unsigned thread = 0;  // of a copy that is no bulk copy
  };
  // Returns the pending copy to this byte of shared memory; without a site if there is none.
  Copy copy_to(uintptr_t address) const;

 private:
  // Not inlined into the calls, which seldom need more queues.
  template <class Queue>
  __attribute__((noinline)) static void grow(std::vector<Queue>& queues, size_t size) {
    queues.resize(size);
  }
  template <class Queue>
  static Queue& of_thread(std::vector<Queue>& queues, unsigned thread) {
    if (queues.size() <= thread) grow(queues, thread + 1);
    return queues[thread];
  }
  void finish();

  std::vector<AsyncCopies> async_;  // by thread
  std::vector<BulkCopy> loads_;
  std::vector<BulkStores> stores_;  // by thread
};

}  // namespace cudacpu
