#include "profile/host_side.h"

#include <algorithm>
#include <cstring>

#include "base/map_search.h"
#include "memory/variables.h"
#include "profile/trace/places.h"
#include "profile/trace/recorder.h"

namespace cudacpu::profile {
namespace {

constexpr size_t kManagedPage = 4096;
// A thread's work is recorded in pieces of kPiece instructions, and the sum of all threads'
// remainders in pieces at the end: in total, less than a piece per call is not counted. The pieces
// mostly hide what is no property of the program, such as how often a condition variable wakes a
// thread.
constexpr uint64_t kPiece = 4096;
// How often a thread polls a variable is no property of the program either. Of the instructions
// since the last poll, at most kLoopInstructions are subtracted.
constexpr uint64_t kLoopInstructions = 16;

}  // namespace

__thread HostThread* own_thread;

HostThread& HostSide::this_thread() {
  if (!own_thread) {
    std::lock_guard<std::mutex> lock(mutex_);
    own_thread = &threads_.emplace_back();
  }
  return *own_thread;
}

HostThread* HostSide::start_thread() {
  HostOperation operation{"thread_start"};
  {
    std::lock_guard<std::mutex> lock(mutex_);
    operation.child = &threads_.emplace_back();
  }
  running_.fetch_add(1, std::memory_order_relaxed);
  note(operation);
  return const_cast<HostThread*>(operation.child);
}

void HostSide::run_as(HostThread* thread) {
  own_thread = thread;
}

void HostSide::thread_ended() {
  running_.fetch_sub(1, std::memory_order_relaxed);
}

void HostSide::joined(const HostThread* thread) {
  HostOperation operation{"thread_join"};
  operation.child = thread;
  note(operation);
}

void HostSide::begin_host_function(const void* stream) {
  HostOperation operation{"host_function"};
  operation.stream = stream;
  HostThread* record;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    record = &threads_.emplace_back();
  }
  operation.child = record;
  note(operation);
  record->caller = &this_thread();
  own_thread = record;
}

void HostSide::end_host_function() {
  own_thread = this_thread().caller;
}

void HostSide::event_recorded(const void* event, const void* stream) {
  HostOperation operation{"event_record"};
  operation.stream = stream;
  operation.event = event;
  note(operation);
  HostThread& thread = this_thread();
  std::lock_guard<std::mutex> lock(mutex_);
  recorded_[event] = {&thread, thread.records++};
}

void HostSide::event_awaited(const char* name, const void* event, const void* stream) {
  HostOperation operation{name};
  operation.stream = stream;
  operation.event = event;
  const HostThread& thread = this_thread();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = recorded_.find(event);
    if (found != recorded_.end() && found->second.thread != &thread) {
      operation.recorder = found->second.thread;
      operation.record = found->second.number;
    }
  }
  note(operation);
}

void HostSide::note(HostOperation operation) {
  HostThread& thread = this_thread();
  std::lock_guard<std::mutex> lock(mutex_);
  note_moved(thread);
  thread.operations.push_back(operation);
}

void HostSide::moved_by_host(size_t bytes) {
  std::atomic<uint64_t>& moved = this_thread().moved;
  moved.store(moved.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
}

// The caller holds mutex_.
void HostSide::note_moved(HostThread& thread) {
  HostOperation copy{"host_copy"};
  copy.bytes = thread.moved.exchange(0, std::memory_order_relaxed);
  if (copy.bytes) thread.operations.push_back(copy);
  HostOperation work{"host_work"};
  const uint64_t worked = thread.worked.load(std::memory_order_relaxed);
  work.instructions = worked / kPiece * kPiece;
  if (!work.instructions) return;
  thread.worked.fetch_sub(work.instructions, std::memory_order_relaxed);
  thread.operations.push_back(work);
}

// The remainders of all threads are added to the main thread. The caller holds mutex_.
void HostSide::note_small_work() {
  uint64_t left = 0;
  for (HostThread& thread : threads_)
    left += thread.worked.exchange(0, std::memory_order_relaxed);
  HostOperation work{"host_work"};
  work.instructions = left / kPiece * kPiece;
  if (work.instructions) main_thread_->operations.push_back(work);
}

// Subtracts a poll, with the round of the loop before the poll, if the poll repeats one of the last
// few: the same value at the same address, after the same sequence of addresses. So a loop over
// memory does not count as a waiting loop. A thread that runs alone does not wait.
void HostSide::looked_by_host(const Look& seen) {
  HostThread& thread = this_thread();
  Look look = seen;
  look.path = thread.path;
  thread.path = 0;
  const uint64_t since = thread.worked_since_look;
  thread.worked_since_look = 0;
  const bool again = std::find(thread.looks, thread.looks + HostThread::kLooks, look) !=
                     thread.looks + HostThread::kLooks;
  thread.looks[thread.next_look] = look;
  thread.next_look = (thread.next_look + 1) % HostThread::kLooks;
  if (!again || running_.load(std::memory_order_relaxed) < 2) return;
  const uint64_t before = thread.worked.load(std::memory_order_relaxed);
  thread.worked.store(before - std::min({before, since, kLoopInstructions}),
                      std::memory_order_relaxed);
}

void HostSide::allocated(const void* base, size_t bytes, bool managed) {
  if (!managed) return;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto begin = reinterpret_cast<uintptr_t>(base);
  Space space;
  uint64_t place = begin - host_arena.begin;
  if (!host_arena.has(begin)) locate_variable(begin, &space, &place);
  managed_[begin] = {bytes, place,
                     std::vector<Residence>((bytes + kManagedPage - 1) / kManagedPage)};
  const uintptr_t first = managed_.begin()->first;
  const uintptr_t last = managed_.rbegin()->first + managed_.rbegin()->second.bytes;
  managed_range = {first, last - first};
}

void HostSide::find_managed_variables() {
  for (const DeviceVariable* v = device_variables(); v; v = v->next) {
    const bool known = managed_.count(reinterpret_cast<uintptr_t>(v->address)) > 0;
    if (!known && strcmp(v->kind, "__managed__") == 0) allocated(v->address, v->bytes, true);
  }
}

void HostSide::freed(const void* base) {
  std::lock_guard<std::mutex> lock(mutex_);
  managed_.erase(reinterpret_cast<uintptr_t>(base));
  if (managed_.empty()) managed_range = {};
}

// Finds the managed allocation that holds `address`, and its pages [*first, *last) that the `bytes`
// from `address` touch. The caller holds mutex_.
ManagedAllocation* HostSide::find_managed(uintptr_t address, size_t bytes, size_t* first,
                                          size_t* last) {
  const auto found = at_or_before(managed_, address);
  if (found == managed_.end()) return nullptr;
  auto& [begin, allocation] = *found;
  if (address >= begin + allocation.bytes) return nullptr;
  *first = (address - begin) / kManagedPage;
  *last = std::min(allocation.pages.size(),
                   (address + bytes - begin + kManagedPage - 1) / kManagedPage);
  return &allocation;
}

void HostSide::prefetched(const void* base, size_t bytes, bool to_host) {
  std::lock_guard<std::mutex> lock(mutex_);
  size_t first, last;
  ManagedAllocation* const allocation =
      find_managed(reinterpret_cast<uintptr_t>(base), bytes, &first, &last);
  if (!allocation) return;
  for (size_t page = first; page < last; ++page) {
    allocation->pages[page] = to_host ? Residence::kHost : Residence::kDevice;
  }
}

void HostSide::note_managed(const char* name, uint64_t bytes) {
  if (bytes == 0) return;
  auto& operations = this_thread().operations;
  std::lock_guard<std::mutex> lock(mutex_);
  if (operations.empty() || strcmp(operations.back().name, name) != 0) {
    operations.push_back({name});
  }
  operations.back().bytes += bytes;
}

void HostSide::bring_to(Residence side, const void* base, size_t bytes) {
  const bool to_device = side == Residence::kDevice;
  uint64_t moved = 0, fresh = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    size_t first, last;
    ManagedAllocation* const allocation =
        find_managed(reinterpret_cast<uintptr_t>(base), bytes, &first, &last);
    if (!allocation) return;
    for (size_t page = first; page < last; ++page) {
      Residence& current = allocation->pages[page];
      if (current == Residence::kNone) {
        fresh += kManagedPage;
      } else if (current != side) {
        moved += kManagedPage;
      }
      current = side;
    }
  }
  note_managed(to_device ? "managed_fault" : "managed_fault_host", moved);
  note_managed(to_device ? "managed_first_touch" : "managed_first_touch_host", fresh);
}

// The pages that the kernel touched on the host came over the link, page by page.
void HostSide::count_managed_faults(const TouchedSectors& loaded, const TouchedSectors& stored) {
  uint64_t moved = 0, fresh = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto& [begin, allocation] : managed_) {
      for (size_t page = 0; page < allocation.pages.size(); ++page) {
        Residence& side = allocation.pages[page];
        if (side == Residence::kDevice) continue;
        const uint64_t place = allocation.place + page * kManagedPage;
        const size_t left = allocation.bytes - page * kManagedPage;
        const size_t bytes =
            std::min(kManagedPage, (left + kLineBytes - 1) / kLineBytes * kLineBytes);
        if (!loaded.any(place, bytes) && !stored.any(place, bytes)) continue;
        (side == Residence::kHost ? moved : fresh) += kManagedPage;
        side = Residence::kDevice;
      }
    }
  }
  note_managed("managed_fault", moved);
  note_managed("managed_first_touch", fresh);
}

void HostSide::reset() {
  main_thread_ = &this_thread();
  std::lock_guard<std::mutex> lock(mutex_);
  recorded_.clear();
  for (HostThread& thread : threads_) {
    thread.operations.clear();
    thread.moved = 0;
    thread.worked = 0;
    thread.worked_since_look = 0;
    thread.l2.reset();
    thread.launches = 0;
    thread.records = 0;
  }
}

}  // namespace cudacpu::profile
