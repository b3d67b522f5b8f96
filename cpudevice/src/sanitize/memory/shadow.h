// The shadow of memory: which bytes exist, which have been written, and which threads accessed each
// word last.
//
// Every word of 4 bytes that kernels may use has a byte of state and the records of its last writer
// and of two readers: the first and the last of its concurrent readers. A writer that races with
// any reader races, but for rare cases, with the first or the last, and each pair is decided
// exactly. Words that are used byte by byte get four cells.
//
// The tables are larger than the processor's caches, and scattered accesses take as long as their
// memory traffic. So a cell is as small as possible and lies within a single cache line; the first
// reader is in a table of its own, which is needed only for two concurrent readers; and a summary
// says in a byte that the states of 64 words allow every access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cudacpu/runtime.h"

namespace cudacpu::sanitize {

// ---- records ---------------------------------------------------------------------------------
// Which thread accessed, when, where and how, in 64 bits; 0: no thread did.
// - epoch: a number that is new for each block and after each of its barriers, in order of
//   execution;
// - thread: its number within the block;
// - clock: counts, within an epoch, the points up to which other threads may know the thread's
//   accesses (order.h);
// - site: the source line, as a number (site_of);
// - kind: plain, volatile, atomic, or the first write of a byte by a volatile or atomic.
using Record = uint64_t;
enum Kind : unsigned { kPlain, kVolatile, kAtomic, kFirst };
constexpr int kSiteShift = 2, kClockShift = 16, kThreadShift = 24, kEpochShift = 34;
constexpr unsigned kMostSites = 1u << (kClockShift - kSiteShift);
constexpr unsigned kMostClock = 255;
constexpr uint32_t kExpanded = (1u << 29) - 1;  // the epoch of a cell that stands for four
inline uint32_t epoch_of(Record r) {
  return static_cast<uint32_t>(r >> kEpochShift);
}
inline unsigned thread_of(Record r) {
  return r >> kThreadShift & 1023;
}
inline unsigned clock_of(Record r) {
  return r >> kClockShift & 255;
}
inline unsigned site_of(Record r) {
  return r >> kSiteShift & (kMostSites - 1);
}
inline Kind kind_of(Record r) {
  return static_cast<Kind>(r & 3);
}
inline Record make_record(uint32_t epoch, unsigned thread, unsigned clock) {
  return uint64_t{epoch} << kEpochShift | uint64_t{thread} << kThreadShift |
         uint64_t{clock} << kClockShift;
}

struct alignas(16) Cell {
  Record write = 0;
  Record readers = 0;  // the last; with kTwoReaders if the first is another
};
constexpr Record kTwoReaders = Record{1} << 63;

// A cell and the place of its first reader.
struct CellPlace {
  Cell& cell;
  Record& first;

  Record last_read() const { return cell.readers & ~kTwoReaders; }
  Record first_read() const { return cell.readers & kTwoReaders ? first : cell.readers; }
  // Adds a reader, which replaces all earlier readers if `replaces`.
  void add_reader(Record me, bool replaces) {
    if (replaces) {
      cell.readers = me;
      return;
    }
    first = first_read();
    cell.readers = me | kTwoReaders;
  }
};

inline bool is_expanded(const Cell& cell) {
  return epoch_of(cell.write) == kExpanded;
}
// The cell of a byte of a word; expands the word's own cell.
CellPlace byte_cell(CellPlace word, size_t byte);

// ---- regions ---------------------------------------------------------------------------------
constexpr size_t kWord = 4;
constexpr uint8_t kAllValid =
    0xFF;  // of a state: the high half says which bytes exist, the low half which are written

// The number of words that a byte of a region's summary covers.
constexpr size_t kLine = 64;
constexpr uint8_t kLineValid = 0xFF;  // of a summary: the states of all 64 words are kAllValid

struct Region {
  uintptr_t begin = 0;
  size_t bytes = 0;
  uint8_t* state = nullptr;
  uint8_t* lines = nullptr;  // the summary; null outside the arena
  Cell* cells = nullptr;
  Record* first_reads = nullptr;

  bool has(uintptr_t address) const { return address - begin < bytes; }
  CellPlace cell(size_t word) { return {cells[word], first_reads[word]}; }
  // Finds out whether a line's words are all valid. A summary below kLineValid only counts accesses
  // until the next check of the states.
  void summarize(size_t line);
  void map_shadow();  // for begin and bytes
  // Sets or clears the bits `mask` (0xF0, 0x0F or 0xFF) of `n` bytes from `address` on.
  void set_state(uintptr_t address, size_t n, uint8_t mask);
  void clear_state(uintptr_t address, size_t n, uint8_t mask);
  void forget_records(uintptr_t address, size_t n);
};

// Only the parts of the shadow that allocations need are writable, because the grader limits
// writable memory.
#ifdef __aarch64__
constexpr size_t kLargestPage = 64 * 1024;  // as in some distributions
#else
constexpr size_t kLargestPage = 4 * 1024;
#endif
constexpr size_t kShadowUnit = kWord * kLargestPage;  // bytes of the arena; its states fill a page
extern Region arena;
void prepare_arena();
// Opens or closes the units that hold some of these bytes. A unit to be closed must not hold bytes
// of another live allocation.
void open_shadow(uintptr_t address, size_t n);
void close_shadow(uintptr_t first_unit, uintptr_t end_unit);

// ---- the running thread ----------------------------------------------------------------------
struct BlockState;

struct Running {
  Record me = 0;  // epoch, thread and clock
  uint32_t epoch = 0;
  uint32_t own_since = 0;       // all epochs from own_since to `epoch` belong to this block
  uint32_t ordered_before = 0;  // the launch has waited for all epochs below
  Region shared, function_shared;
  BlockState* block = nullptr;
  // Whether blocks can use each other's shared memory; and whose shared memory is being used, if
  // another block's.
  bool in_cluster = false;
  BlockState* owner = nullptr;
  unsigned thread = 0;
  uintptr_t built_in = 0;  // the address of threadIdx and the other built-in variables of this OS
                           // thread
  size_t built_in_bytes = 0;
};
extern Running now;

// The region of the running block's shared memory that holds the address: the kernel's variables or
// those of device functions. Null if neither does.
inline Region* shared_region(uintptr_t address) {
  if (now.shared.has(address)) return &now.shared;
  return now.function_shared.has(address) ? &now.function_shared : nullptr;
}

// Turns a code address into a number (0 if the numbers are used up), and a number into a code
// address.
unsigned find_site(const void* pc);
struct CachedSite {
  const void* pc;
  unsigned number;
};
constexpr size_t kCachedSites = 1024;
extern CachedSite cached_sites[kCachedSites];
inline unsigned site_of(const void* pc) {
  const CachedSite& site = cached_sites[reinterpret_cast<uintptr_t>(pc) % kCachedSites];
  return site.pc == pc ? site.number : find_site(pc);
}
const void* pc_of_site(unsigned site);

}  // namespace cudacpu::sanitize
