// Device memory: a large reservation of address space, in which allocations make pages usable.
//
// Each allocation ends at pages that stay inaccessible, and freed memory becomes inaccessible and
// is not used again until the allocator has gone through the whole arena. So an access beyond an
// allocation, or to a freed allocation, faults at the access itself and can be explained. Addresses
// are plentiful and usable pages are not, so the gaps are wide.
#include "memory/arena.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "base/devices.h"
#include "base/error.h"
#include "base/map_search.h"
#include "diagnostics/observer.h"

namespace cudacpu {
namespace {

constexpr size_t kAlignment = 256;  // CUDA's promise
constexpr size_t kPage = 4096;      // at least; the system says how large
constexpr size_t kHugePage = size_t{2} << 20;
// The diagnostic modes keep shadow memory for the whole reservation, at most kShadows bytes for
// each byte. In a small address space, as in an emulator, enough addresses must be left for the
// shadow.
constexpr size_t kShadows = CUDACPU_DIAGNOSTICS ? 7 : 0;
constexpr size_t kLargestReservation = CUDACPU_DIAGNOSTICS ? size_t{1} << 36 : size_t{1} << 40;
constexpr size_t kSmallestReservation = size_t{64} << 20;
// The address to reserve, if free. In the diagnostic modes the address is always the same, so that
// a program that prints an address prints the same text each time.
void* const kHint = CUDACPU_DIAGNOSTICS ? reinterpret_cast<void*>(uintptr_t{1} << 45) : nullptr;
constexpr size_t kMostMemory = size_t{8} << 30;
constexpr size_t kMostGap = size_t{1} << 30;
constexpr size_t kLeastGap = size_t{256} << 10;
// The kernel limits the number of mappings of a process (65530 by default), and each fenced
// allocation takes two.
constexpr size_t kMostFenced = CUDACPU_DIAGNOSTICS ? 4000 : 16000;
constexpr size_t kSlabBytes = size_t{1} << 20;
constexpr size_t kMostRemembered = 20000;  // freed allocations

size_t round_up(size_t x, size_t unit) {
  return (x + unit - 1) / unit * unit;
}

// Reads a number from a file of the system, such as a container's memory limit; returns `otherwise`
// if the file has none.
size_t read_number(const char* path, size_t otherwise) {
  size_t value = otherwise;
  if (FILE* file = fopen(path, "r")) {
    unsigned long long number;
    if (fscanf(file, "%llu", &number) == 1) value = number;
    fclose(file);
  }
  return value;
}

size_t physical_memory() {
  const size_t pages = static_cast<size_t>(sysconf(_SC_PHYS_PAGES));
  const size_t memory = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::min(memory, read_number("/sys/fs/cgroup/memory.max", memory));
}

size_t simulated_memory() {
  return std::min(physical_memory() / 2, kMostMemory) / kHugePage * kHugePage;
}

struct Record {
  size_t bytes;  // as requested
  MemoryKind kind;
  const char* function;
  // The addresses of the allocation, including the gap; the size is 0 for a part of a slab.
  uintptr_t region;
  size_t region_bytes;
  int file = -1;           // of shared pages
  bool of_process = true;  // otherwise another process allocated it
  int device = current_device();
  bool mapped = false;  // by the program, which owns the addresses and pages
};

observe::Memory observed(MemoryKind kind) {
  return kind == MemoryKind::kManaged  ? observe::Memory::kManaged
         : kind == MemoryKind::kPinned ? observe::Memory::kPinned
                                       : observe::Memory::kDevice;
}

class Arena {
 public:
  Arena() : page_(std::max<size_t>(kPage, sysconf(_SC_PAGESIZE))) {
    for (size_t bytes = kLargestReservation; bytes >= kSmallestReservation; bytes /= 2) {
      void* base = mmap(kHint, bytes * (1 + kShadows), PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (base == MAP_FAILED) continue;
      begin_ = reinterpret_cast<uintptr_t>(base);
      if (kShadows) {
        const uintptr_t reserved_end = begin_ + bytes * (1 + kShadows);
        begin_ = round_up(begin_, kHugePage);  // shadow memory is used in units of pages
        munmap(reinterpret_cast<void*>(begin_ + bytes), reserved_end - begin_ - bytes);
      }
      end_ = begin_ + bytes;
      break;
    }
    if (end_ > begin_) unused_[begin_] = end_ - begin_;
    // At least half of the addresses are used for gaps.
    total_ = std::min(simulated_memory(), (end_ - begin_) / 2);
    most_managed_ = std::max(total_, std::min(physical_memory(), (end_ - begin_) / 4));
    cursor_ = begin_;
    set_repeatable_addresses(base(), base() + (end_ - begin_));
  }

  bool contains(const void* pointer) const {
    const uintptr_t p = reinterpret_cast<uintptr_t>(pointer);
    return p >= begin_ && p < end_;
  }
  void range(const char** base, size_t* bytes) const {
    *base = this->base();
    *bytes = end_ - begin_;
  }
  size_t total() const { return total_; }
  size_t in_use() {
    std::lock_guard<std::mutex> lock(mutex_);
    return std::min(total_, used_[0] + used_[1]);
  }

  std::vector<MemoryRange> pinned() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<MemoryRange> ranges;
    for (const auto& [base, record] : live_) {
      if (record.kind == MemoryKind::kPinned) ranges.push_back({base, base + record.bytes});
    }
    return ranges;
  }

  void* allocate(size_t bytes, MemoryKind kind, const char* function) {
    std::lock_guard<std::mutex> lock(mutex_);
    const size_t padded = round_up(bytes, kAlignment);
    size_t& used = used_[static_cast<int>(kind)];
    // Managed memory may exceed the device's memory: the host holds the rest.
    const size_t most = kind == MemoryKind::kManaged ? most_managed_ : total_;
    if (padded < bytes || padded > most - used) return nullptr;
    uintptr_t base = 0;
    Record record{bytes, kind, function, 0, 0, -1, true};
    if (fenced_ < kMostFenced || padded > kSlabBytes) {
      base = take_fenced(padded, &record);
    } else {
      base = take_from_slab(padded);
    }
    if (!base) return nullptr;
    used += padded;
    live_[base] = record;
    observe::allocated(reinterpret_cast<void*>(base), bytes, observed(kind), function);
    return reinterpret_cast<void*>(base);
  }

  cudaError_t share(const void* pointer, SharedPages* pages) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = live_.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == live_.end() || found->second.kind != MemoryKind::kDevice) {
      explain("cudaIpcGetMemHandle: %p is not the start of device memory", pointer);
      return cudaErrorInvalidValue;
    }
    Record& record = found->second;
    const uintptr_t base = found->first, begin = base / page_ * page_;
    const size_t bytes = round_up(base + record.bytes - begin, page_);
    if (!record.region_bytes) {
      explain("cudaIpcGetMemHandle: with so many allocations small ones cannot be shared");
      return cudaErrorNotSupported;
    }
    if (record.file < 0) record.file = move_to_file(reinterpret_cast<void*>(begin), bytes);
    if (record.file < 0) return cudaErrorMemoryAllocation;
    *pages = {record.file, bytes, base - begin, record.bytes};
    return cudaSuccess;
  }

  void* map_shared(const SharedPages& pages, const char* function) {
    std::lock_guard<std::mutex> lock(mutex_);
    Record record{pages.used, MemoryKind::kDevice, function, 0, 0, -1, false};
    const size_t padded = round_up(pages.used, kAlignment);
    size_t& used = used_[static_cast<int>(MemoryKind::kDevice)];
    if (padded > total_ - used) return nullptr;
    const uintptr_t begin = take_addresses(pages.bytes + round_up(kLeastGap, page_), page_,
                                           &record.region, &record.region_bytes);
    if (!begin) return nullptr;
    if (mmap(reinterpret_cast<void*>(begin), pages.bytes, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED, pages.file, 0) == MAP_FAILED) {
      add_unused(record.region, record.region_bytes);
      return nullptr;
    }
    ++fenced_;
    used += padded;
    const uintptr_t base = begin + pages.offset;
    live_[base] = record;
    observe::allocated(reinterpret_cast<void*>(base), pages.used, observe::Memory::kDevice,
                       function);
    return reinterpret_cast<void*>(base);
  }

  cudaError_t release(void* pointer, bool pinned, bool of_process, const char* function) {
    std::lock_guard<std::mutex> lock(mutex_);
    const uintptr_t base = reinterpret_cast<uintptr_t>(pointer);
    auto found = live_.find(base);
    if (found == live_.end()) {
      explain_bad_free(pointer, function);
      return cudaErrorInvalidValue;
    }
    const Record& record = found->second;
    if ((record.kind == MemoryKind::kPinned) != pinned || record.of_process != of_process ||
        record.mapped) {
      observe::bad_free(pointer, false, function);
      explain("%s cannot free %p, which came from %s", function, pointer, record.function);
      return cudaErrorInvalidValue;
    }
    observe::freed(pointer, record.bytes, observed(record.kind), function);
    give_back(base, record);
    live_.erase(found);
    return cudaSuccess;
  }

  void release_all() {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto entry = live_.begin(); entry != live_.end();) {
      const auto& [base, record] = *entry;
      if (record.mapped) {
        ++entry;
        continue;
      }
      observe::freed(reinterpret_cast<void*>(base), record.bytes, observed(record.kind),
                     "cudaDeviceReset");
      give_back(base, record);
      entry = live_.erase(entry);
    }
  }

  uintptr_t reserve(size_t bytes, size_t alignment, MemoryRange* taken) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (bytes > end_ - begin_) return 0;
    uintptr_t region;
    size_t region_bytes;
    const uintptr_t base = take_addresses(bytes + round_up(kLeastGap, page_),
                                          std::max(alignment, page_), &region, &region_bytes);
    *taken = {region, region + region_bytes};
    return base;
  }

  void return_addresses(const MemoryRange& region) {
    std::lock_guard<std::mutex> lock(mutex_);
    add_unused(region.begin, region.end - region.begin);
  }

  bool take_memory(size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    size_t& used = used_[static_cast<int>(MemoryKind::kDevice)];
    if (bytes > total_ - used) return false;
    used += bytes;
    return true;
  }

  void give_memory(size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    used_[static_cast<int>(MemoryKind::kDevice)] -= bytes;
  }

  void add_mapped(uintptr_t base, size_t bytes, const char* function) {
    std::lock_guard<std::mutex> lock(mutex_);
    Record record{bytes, MemoryKind::kDevice, function, 0, 0};
    record.mapped = true;
    forget(base, bytes);
    live_[base] = record;
    observe::allocated(reinterpret_cast<void*>(base), bytes, observe::Memory::kDevice, function);
  }

  void remove_mapped(uintptr_t base, const char* function) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = live_.find(base);
    observe::freed(reinterpret_cast<void*>(base), found->second.bytes, observe::Memory::kDevice,
                   function);
    if (freed_.size() < kMostRemembered) freed_[base] = found->second;
    live_.erase(found);
  }

  // Finds the allocation that holds `pointer`, or the nearest; live allocations go before freed
  // ones.
  bool find(const void* pointer, Allocation* out) {
    std::lock_guard<std::mutex> lock(mutex_);
    const uintptr_t p = reinterpret_cast<uintptr_t>(pointer);
    if (inside(freed_, p, out, true) || inside(live_, p, out, false)) return true;
    return nearest(p, out);
  }

  bool find_live(const void* pointer, Allocation* out, MemoryKind* kind) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = at_or_before(live_, reinterpret_cast<uintptr_t>(pointer));
    if (found == live_.end()) return false;
    *out = describe_live(found);
    *kind = found->second.kind;
    // The address at the end counts as inside: a range of no bytes may start there.
    return reinterpret_cast<uintptr_t>(pointer) <= found->first + found->second.bytes;
  }

 private:
  const char* base() const { return reinterpret_cast<const char*>(begin_); }

  using Records = std::map<uintptr_t, Record>;

  static Allocation describe(const Records::value_type& entry, bool freed) {
    return {reinterpret_cast<const char*>(entry.first), entry.second.bytes, entry.second.function,
            freed, entry.second.device};
  }

  // Mapped memory may consist of several ranges side by side.
  Allocation describe_live(Records::const_iterator entry) const {
    Allocation found = describe(*entry, false);
    if (!entry->second.mapped) return found;
    for (auto before = entry; before != live_.begin();) {
      --before;
      if (!before->second.mapped || before->first + before->second.bytes != address(found.base))
        break;
      found.base -= before->second.bytes;
      found.bytes += before->second.bytes;
    }
    for (auto after = std::next(entry); after != live_.end(); ++after) {
      if (!after->second.mapped || after->first != address(found.base) + found.bytes) break;
      found.bytes += after->second.bytes;
    }
    return found;
  }
  static uintptr_t address(const char* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

  static bool inside(const Records& records, uintptr_t p, Allocation* out, bool freed) {
    auto found = at_or_before(records, p);
    if (found == records.end() || p >= found->first + found->second.bytes) return false;
    *out = describe(*found, freed);
    return true;
  }

  bool nearest(uintptr_t p, Allocation* out) {
    size_t best = SIZE_MAX;
    for (const Records* records : {&live_, &freed_}) {
      const bool freed = records == &freed_;
      auto before = at_or_before(*records, p);
      if (before != records->end() && p - (before->first + before->second.bytes) < best) {
        best = p - (before->first + before->second.bytes);
        *out = describe(*before, freed);
      }
      auto after = records->upper_bound(p);
      if (after != records->end() && after->first - p < best) {
        best = after->first - p;
        *out = describe(*after, freed);
      }
    }
    return best != SIZE_MAX;
  }

  void explain_bad_free(const void* pointer, const char* function) {
    const uintptr_t p = reinterpret_cast<uintptr_t>(pointer);
    Allocation near;
    observe::bad_free(pointer, freed_.count(p) != 0, function);
    if (freed_.count(p)) {
      explain("%s got %p, which was freed before", function, pointer);
    } else if (inside(live_, p, &near, false)) {
      explain("%s got %p, which is %zu bytes inside the %zu-byte %s at %p, not its start", function,
              pointer, static_cast<size_t>(static_cast<const char*>(pointer) - near.base),
              near.bytes, near.kind, static_cast<const void*>(near.base));
    } else {
      explain("%s got %p, which no CUDA function allocated", function, pointer);
    }
  }

  // Allocates usable pages, followed by a gap of inaccessible pages.
  uintptr_t take_fenced(size_t padded, Record* record) {
    const bool huge = padded >= 2 * kHugePage;
    const size_t usable = round_up(padded, page_);
    const size_t reserved = end_ - begin_;
    const size_t least_gap = std::clamp(reserved / (4 * kMostFenced), page_, kLeastGap);
    const size_t most_gap = std::max(least_gap, std::min(kMostGap, reserved / 1024));
    const size_t gap = round_up(std::clamp(padded, least_gap, most_gap), page_);
    const uintptr_t region = take_addresses(usable + gap, huge ? kHugePage : page_, &record->region,
                                            &record->region_bytes);
    if (!region) return 0;
    void* pages = reinterpret_cast<void*>(region);
    if (mprotect(pages, usable, PROT_READ | PROT_WRITE) != 0) {
      add_unused(record->region, record->region_bytes);
      return 0;
    }
    if (huge) madvise(pages, usable, MADV_HUGEPAGE);
    ++fenced_;
    return region + usable - padded;
  }

  // Replaces pages by those of a new file with the same contents; returns its descriptor, or -1.
  static int move_to_file(void* pages, size_t bytes) {
    const int file = memfd_create("cudacpu", MFD_CLOEXEC);
    if (file < 0) return -1;
    const auto* data = static_cast<const char*>(pages);
    size_t written = 0;
    while (written < bytes) {
      const ssize_t count = write(file, data + written, bytes - written);
      if (count <= 0) break;
      written += static_cast<size_t>(count);
    }
    if (written == bytes &&
        mmap(pages, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED)
      return file;
    close(file);
    return -1;
  }

  // Allocates from a slab, where small allocations lie side by side; used when allocations are very
  // many.
  uintptr_t take_from_slab(size_t padded) {
    // Freed parts of slabs are used again, because programs often free and make many small
    // allocations in turn.
    auto& spare = slab_spare_[padded];
    if (!spare.empty()) {
      const uintptr_t base = spare.back();
      spare.pop_back();
      forget(base, padded);
      return base;
    }
    if (slab_used_ + padded > kSlabBytes || !slab_) {
      uintptr_t region;
      size_t region_bytes;
      slab_ = take_addresses(kSlabBytes + page_, page_, &region, &region_bytes);
      if (!slab_) return 0;
      if (mprotect(reinterpret_cast<void*>(slab_), kSlabBytes, PROT_READ | PROT_WRITE) != 0) {
        add_unused(region, region_bytes);
        slab_ = 0;
        return 0;
      }
      slab_used_ = 0;
    }
    const uintptr_t base = slab_ + slab_used_;
    slab_used_ += padded;
    return base;
  }

  void give_back(uintptr_t base, const Record& record) {
    const size_t padded = round_up(record.bytes, kAlignment);
    used_[static_cast<int>(record.kind)] -= padded;
    if (record.region_bytes) {
      // A new mapping returns pages and page tables to the system.
      mmap(reinterpret_cast<void*>(record.region), record.region_bytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
      add_unused(record.region, record.region_bytes);
      --fenced_;
      if (record.file >= 0) close(record.file);
    } else {
      slab_spare_[padded].push_back(base);
    }
    if (freed_.size() < kMostRemembered) freed_[base] = record;
  }

  // Finds the first unused range at or after the cursor that is large enough, so that ranges are
  // used again as late as possible.
  uintptr_t take_addresses(size_t bytes, size_t alignment, uintptr_t* region,
                           size_t* region_bytes) {
    const size_t wanted = bytes + alignment - page_;
    for (uintptr_t from : {cursor_, begin_}) {
      auto range = at_or_before_unused(from);
      for (; range != unused_.end(); ++range) {
        const uintptr_t start = std::max(range->first, from);
        const uintptr_t range_end = range->first + range->second;
        if (range_end <= start || range_end - start < wanted) continue;
        const uintptr_t aligned = round_up(start, alignment);
        const uintptr_t range_begin = range->first;
        unused_.erase(range);
        if (start > range_begin) unused_[range_begin] = start - range_begin;
        const uintptr_t stop = aligned + bytes;
        if (range_end > stop) unused_[stop] = range_end - stop;
        cursor_ = stop;
        *region = start;
        *region_bytes = stop - start;
        forget(start, stop - start);
        return aligned;
      }
    }
    return 0;
  }

  std::map<uintptr_t, size_t>::iterator at_or_before_unused(uintptr_t p) {
    auto after = unused_.upper_bound(p);
    return after == unused_.begin() ? after : std::prev(after);
  }

  void add_unused(uintptr_t start, size_t bytes) {
    auto next = unused_.lower_bound(start);
    if (next != unused_.end() && start + bytes == next->first) {
      bytes += next->second;
      next = unused_.erase(next);
    }
    if (next != unused_.begin()) {
      auto before = std::prev(next);
      if (before->first + before->second == start) {
        before->second += bytes;
        return;
      }
    }
    unused_[start] = bytes;
  }

  // Forgets the freed allocations at addresses that are used again.
  void forget(uintptr_t start, size_t bytes) {
    auto first = freed_.lower_bound(start);
    auto last = freed_.lower_bound(start + bytes);
    freed_.erase(first, last);
  }

  std::mutex mutex_;
  const size_t page_;
  size_t total_ = 0, most_managed_ = 0;
  uintptr_t begin_ = 0, end_ = 0;
  uintptr_t cursor_ = 0;
  std::map<uintptr_t, size_t> unused_;  // start -> size, neighbours joined
  Records live_, freed_;
  size_t fenced_ = 0;
  size_t used_[3] = {0, 0, 0};  // by MemoryKind
  uintptr_t slab_ = 0;          // the slab in use
  size_t slab_used_ = 0;
  std::map<size_t, std::vector<uintptr_t>> slab_spare_;
};

// Created at the first use, which may be in a constructor of the program, and never destroyed,
// because a destructor of the program may free memory after main().
Arena& arena() {
  static Arena* instance = new Arena;
  return *instance;
}

}  // namespace

void* allocate(size_t bytes, MemoryKind kind, const char* function) {
  return arena().allocate(bytes, kind, function);
}
cudaError_t release(void* pointer, bool pinned, const char* function) {
  return arena().release(pointer, pinned, true, function);
}
cudaError_t share(const void* pointer, SharedPages* pages) {
  return arena().share(pointer, pages);
}
void* map_shared(const SharedPages& pages, const char* function) {
  return arena().map_shared(pages, function);
}
cudaError_t release_shared(void* pointer, const char* function) {
  return arena().release(pointer, false, false, function);
}
void release_all() {
  arena().release_all();
}
uintptr_t reserve_addresses(size_t bytes, size_t alignment, MemoryRange* region) {
  return arena().reserve(bytes, alignment, region);
}
void return_addresses(const MemoryRange& region) {
  arena().return_addresses(region);
}
bool take_memory(size_t bytes) {
  return arena().take_memory(bytes);
}
void give_memory(size_t bytes) {
  arena().give_memory(bytes);
}
void add_mapped(uintptr_t base, size_t bytes, const char* function) {
  arena().add_mapped(base, bytes, function);
}
void remove_mapped(uintptr_t base, const char* function) {
  arena().remove_mapped(base, function);
}
void arena_range(const char** base, size_t* bytes) {
  arena().range(base, bytes);
}
size_t total_memory() {
  return arena().total();
}
size_t memory_in_use() {
  return arena().in_use();
}
std::vector<MemoryRange> pinned_memory() {
  return arena().pinned();
}
bool in_arena(const void* address) {
  return arena().contains(address);
}
bool find_allocation(const void* address, Allocation* out) {
  return arena().contains(address) && arena().find(address, out);
}

bool find_live_allocation(const void* address, Allocation* out, MemoryKind* kind) {
  return arena().contains(address) && arena().find_live(address, out, kind);
}

}  // namespace cudacpu
