// The calls that g++ -fsanitize=thread puts before each access: bounds, initialisation and races.
//
// The common case is a few compares: the address lies in the arena or in the block's shared memory,
// the state says that all bytes exist and are written, and the records are the running thread's or
// older than the last barrier. access_quickly() handles the common case for global memory.
#include "sanitize/access.h"

#include <algorithm>
#include <bitset>
#include <string_view>
#include <vector>

#include "memory/location.h"
#include "memory/read_only_image.h"
#include "sanitize/access_reports.h"
#include "sanitize/findings/findings.h"
#include "sanitize/memory/allocations.h"
#include "sanitize/memory/program_memory.h"
#include "sanitize/order/epochs.h"
#include "sanitize/order/host_copies.h"
#include "sanitize/order/order.h"
#include "sanitize/order/streams.h"
#include "sanitize/polled_flags.h"
#include "scheduler/block/meeting.h"
#include "scheduler/threads/worker.h"

namespace cudacpu::sanitize {
namespace {

#define SITE __builtin_return_address(0)
#define UNLIKELY(condition) __builtin_expect(static_cast<bool>(condition), 0)

// ---- races -----------------------------------------------------------------------------------

// Two kinds of conflicts are pending until a later check:
// - Threads that write the same value to the same address, such as a flag that many threads set, do
//   no harm. The old value is kept, to see whether the write changes the value.
// - A plain read of a value that other threads change by atomics is right if a following atomicCAS
//   would notice the change; the CUDA programming guide makes any function atomic by a loop around
//   atomicCAS.
struct Pending {
  Record earlier;
  uintptr_t address;
  const void* site;
  bool write, shared;
  uint8_t bytes;
  uint32_t value;
};
std::vector<Pending>& pending() {
  static auto* const list = new std::vector<Pending>;
  return *list;
}

uint32_t value_at(uintptr_t address, size_t bytes) {
  uint32_t value = 0;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(address), bytes);
  return value;
}

// The running thread executes an atomicCAS: the value that the thread read before was only a guess.
void forgive_read(const volatile void* pointer) {
  NoPreemption guard;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  auto& list = pending();
  list.erase(
      std::remove_if(list.begin(), list.end(),
                     [&](const Pending& p) { return !p.write && p.address / 8 == address / 8; }),
      list.end());
  any_pending = !list.empty();
}

void settle(const Pending& p) {
  if (p.write && value_at(p.address, p.bytes) == p.value) return;
  report_race(p.earlier, p.address, p.write, true, p.shared, p.site);
}

// The running thread is about to write this word again. Its earlier write is compared now, because
// in the end both threads may have left the same value, as after `sum = 0; sum += x;`.
[[gnu::noinline]] void settle_writes(uintptr_t address) {
  NoPreemption guard;
  auto& list = pending();
  const auto here = std::stable_partition(list.begin(), list.end(), [&](const Pending& p) {
    return !p.write || p.address / kWord != address / kWord;
  });
  std::for_each(here, list.end(), [](const Pending& p) { settle(p); });
  list.erase(here, list.end());
  any_pending = !list.empty();
}

// `earlier` may be concurrent with the running thread's access.
[[gnu::noinline]] void conflict(Record earlier, Kind kind, uintptr_t address, bool write,
                                bool earlier_write, bool shared, size_t bytes, const void* site) {
  const Kind other = kind_of(earlier);
  NoPreemption guard;
  if (kind != kPlain && other == kAtomic) return;
  // A read of the first value has to be ordered after the write, or may miss the value.
  if (kind == kAtomic && other == kFirst && write) return;
  if (kind == kVolatile && (other == kVolatile || (other == kFirst && write))) {
    // The purpose may be that another block, or in global memory another warp, sees a value in
    // time. Otherwise the variable is a flag if the write publishes a fence that is newer than the
    // last barrier; without a fence the volatile stands in for a missing barrier.
    const bool same_warp =
        epoch_of(earlier) == now.epoch && thread_of(earlier) / kWarpSize == now.thread / kWarpSize;
    const bool same_block = serial_of(epoch_of(earlier)) == now.block->serial;
    if (!same_warp && !(shared && same_block)) return;
    if (is_flag_of_block(address)) return;
  }
  if (ordered(earlier)) return;
  if (kind == kVolatile && other == kVolatile && write != earlier_write) {
    if (is_held(address, site)) return;
    return hold(race_report(earlier, address, write, earlier_write, shared, site), address, bytes);
  }
  const bool same_value = write && earlier_write && kind != kAtomic && other != kAtomic;
  const bool guess = !write && kind == kPlain && other == kAtomic;
  if (!same_value && !guess)
    return report_race(earlier, address, write, earlier_write, shared, site);
  constexpr size_t kMostPending = 64;
  if (pending().size() >= kMostPending) settle_pending();
  const auto size = static_cast<uint8_t>(bytes);
  pending().push_back(
      {earlier, address, site, write, shared, size, write ? value_at(address, bytes) : 0});
  any_pending = true;
}

// Whether this record is clearly, without a search, ordered before the running thread's access.
template <bool kShared>
[[gnu::always_inline]] inline bool clearly_ordered(Record record) {
  const uint32_t epoch = epoch_of(record);
  const bool own = kShared && !now.in_cluster;
  if (own && epoch != now.epoch)
    // this block's earlier epochs, or earlier blocks on the same shared memory
    return true;
  if ((record ^ now.me) >> kThreadShift == 0) return true;
  if (own) return false;
  return epoch < now.ordered_before || (epoch >= now.own_since && epoch < now.epoch);
}

// Whether the thread's earlier plain write stays on record although the thread now writes by an
// atomic or a volatile. Later accesses by other threads race with the plain store until an acquire
// lets them know of the store. An atomic races with fewer accesses than the store, so the atomic
// takes the store's place only if all threads can know of the store.
template <Kind kKind, bool kShared>
inline bool stays(Record earlier, Record me) {
  if (!earlier || (earlier ^ me) >> kThreadShift != 0) return false;
  if (kind_of(earlier) != kPlain && kind_of(earlier) != kFirst) return false;
  const BlockState::Published& published = now.block->published[now.thread];
  const unsigned known = kKind == kVolatile ? std::max(published.warp, published.block)
                         : kShared          ? published.block
                                            : published.device;
  return clock_of(earlier) > known;
}

template <bool kWrite, Kind kKind, bool kShared, size_t kBytes = kWord>
inline void touch_cell(CellPlace place, Record me, uintptr_t address, const void* site) {
  Cell& cell = place.cell;
  if (kWrite && UNLIKELY(any_pending)) settle_writes(address);
  const auto check = [&](Record earlier, bool earlier_write) {
    if (kKind == kAtomic && kind_of(earlier) != kPlain && (kWrite || kind_of(earlier) != kFirst))
      return;
    if (UNLIKELY(!clearly_ordered<kShared>(earlier))) {
      conflict(earlier, kKind, address, kWrite, earlier_write, kShared, kBytes, site);
    }
  };
  check(cell.write, true);
  if (!kWrite) {
    const Record last = place.last_read();
    if ((last ^ me) >> kClockShift == 0 && kind_of(last) == kKind) return;
    place.add_reader(me, clearly_ordered<kShared>(place.first_read()));
    return;
  }
  if (cell.readers) {
    if (cell.readers & kTwoReaders) check(place.first, false);
    check(place.last_read(), false);
    cell.readers = 0;
  }
  if (kKind != kPlain && UNLIKELY((stays<kKind, kShared>(cell.write, me)))) return;
  cell.write = me;
}

// ---- bounds and initialisation ---------------------------------------------------------------

// Checks the states of [offset, offset + n) one by one, and marks written bytes. Returns false if
// some bytes do not exist.
[[gnu::noinline]] bool check_state(Region& region, size_t offset, size_t n, bool write, bool reads,
                                   bool shared, const void* site) {
  bool exists = true, initialised = false;
  for (size_t at = offset; at < offset + n;) {
    const size_t next = std::min((at / kWord + 1) * kWord, offset + n);
    const unsigned bits = ((1u << (next - at)) - 1) << at % kWord;
    const uint8_t state = region.state[at / kWord];
    exists &= (state >> 4 & bits) == bits;
    initialised |= (state & bits) != 0;
    at = next;
  }
  if (!exists) {
    report_bounds(region.begin + offset, n, write, shared, site);
    return false;
  }
  // Some bytes of a wide access may be padding that is never written.
  if (reads && !initialised) report_uninitialised(region.begin + offset, n, shared, site);
  if (write || !initialised)
    region.set_state(region.begin + offset, n, 0x0F);  // reported once is enough
  return true;
}

// ---- kernels' accesses -----------------------------------------------------------------------

template <bool kWrite, Kind kKind, bool kShared>
void touch_bytes(Region& region, size_t offset, size_t n, Record me, const void* site) {
  for (size_t at = offset; at < offset + n;) {
    const CellPlace cell = region.cell(at / kWord);
    if (at % kWord == 0 && offset + n - at >= kWord && !is_expanded(cell.cell)) {
      touch_cell<kWrite, kKind, kShared>(cell, me, region.begin + at, site);
      at += kWord;
    } else {
      touch_cell<kWrite, kKind, kShared, 1>(byte_cell(cell, at % kWord), me, region.begin + at,
                                            site);
      ++at;
    }
  }
}

// The kind of an access that begins at this byte: the first write of a byte has a kind of its own.
template <bool kWrite, Kind kKind>
inline Kind kind_at(const Region& region, size_t offset) {
  const bool written = region.state[offset / kWord] >> offset % kWord & 1;
  return kWrite && kKind != kPlain && !written ? kFirst : kKind;
}

// An atomic write belongs to an operation that also reads, unless `kStore`.
template <bool kWrite, Kind kKind, bool kShared, bool kStore = false>
[[gnu::noinline]] void touch_any(Region& region, size_t offset, size_t n, const void* site) {
  constexpr bool kReads = !kWrite || (kKind == kAtomic && !kStore);
  if (UNLIKELY(offset + n > region.bytes)) n = region.bytes - offset;
  const Kind kind = kind_at<kWrite, kKind>(region, offset);
  if (!check_state(region, offset, n, kWrite, kReads, kShared, site)) return;
  touch_bytes<kWrite, kKind, kShared>(region, offset, n,
                                      now.me | site_of(site) << kSiteShift | kind, site);
}

template <size_t n>
inline bool all_valid(const uint8_t* state) {
  if constexpr (n == 4) return *state == kAllValid;
  if constexpr (n == 8) return *reinterpret_cast<const uint16_t*>(state) == UINT16_MAX;
  if constexpr (n == 16) return *reinterpret_cast<const uint32_t*>(state) == UINT32_MAX;
  return false;
}

template <size_t n, bool kWrite, Kind kKind, bool kShared, bool kStore>
inline void touch(Region& region, size_t offset, const void* site) {
  constexpr bool kReads = !kWrite || (kKind == kAtomic && !kStore);
  if constexpr (n < kWord) {
    touch_any<kWrite, kKind, kShared, kStore>(region, offset, n, site);
  } else {
    const size_t first = offset / kWord;
    Kind kind = kKind;
    if (UNLIKELY(offset % n != 0))
      return touch_any<kWrite, kKind, kShared, kStore>(region, offset, n, site);
    if (kShared || region.lines[first / kLine] != kLineValid) {
      if (UNLIKELY(!all_valid<n>(region.state + first))) {
        kind = kind_at<kWrite, kKind>(region, offset);
        if (!check_state(region, offset, n, kWrite, kReads, kShared, site)) return;
      } else if (!kShared) {
        constexpr unsigned kAccesses = 16;
        if (++region.lines[first / kLine] % kAccesses == 0) region.summarize(first / kLine);
      }
    }
    const Record me = now.me | site_of(site) << kSiteShift | kind;
    for (size_t i = 0; i < n / kWord; ++i) {
      const CellPlace cell = region.cell(first + i);
      if (UNLIKELY(is_expanded(cell.cell))) {
        touch_bytes<kWrite, kKind, kShared>(region, offset + i * kWord, kWord, me, site);
      } else {
        touch_cell<kWrite, kKind, kShared>(cell, me, region.begin + offset + i * kWord, site);
      }
    }
  }
}

// ---- shared memory of another block of the cluster -------------------------------------------

template <bool kWrite, Kind kKind, bool kStore>
[[gnu::noinline]] void touch_remote(BlockState& owner, uintptr_t address, size_t n,
                                    const void* site) {
  const BlockState& me = *now.block;
  const bool acquired = !me.all_acquired.empty() || !me.acquired[now.thread].empty();
  if (owner.ended) return report_ended_block(owner, kWrite, site);
  if (!me.cluster_before && !acquired) return report_unbegun_block(owner, kWrite, site);
  Region& region = owner.shared.has(address) ? owner.shared : owner.function_shared;
  now.owner = &owner;
  touch_any<kWrite, kKind, true, kStore>(region, address - region.begin, n, site);
  now.owner = nullptr;
  owner.visit = now.me | site_of(site) << kSiteShift | kKind;
}

// ---- neither device memory nor shared memory -------------------------------------------------

template <bool kWrite, Kind kKind, bool kStore = false>
[[gnu::noinline]] void touch_other(uintptr_t address, size_t n, const void* site) {
  const Fiber& fiber = running_fiber();
  const auto top = reinterpret_cast<uintptr_t>(fiber.stack_top);
  if (address < top && address >= top - fiber.stack_bytes) return;
  if (now.function_shared.has(address)) {
    return touch_any<kWrite, kKind, true, kStore>(now.function_shared,
                                                  address - now.function_shared.begin, n, site);
  }
  if (now.in_cluster) {
    if (BlockState* owner = owner_of_shared(address))
      return touch_remote<kWrite, kKind, kStore>(*owner, address, n, site);
  }
  if (address - now.built_in < now.built_in_bytes || meeting_range.has(address)) return;
  // The loop over threads reads where to begin.
  if (address - reinterpret_cast<uintptr_t>(context.worker->block) < sizeof(Block)) return;
  if (VariableRegion* v = variable_region(address)) {
    if (kWrite && v->variable->kind == std::string_view("__constant__"))
      return report_constant_write(*v->variable, n, site);
    return touch_any<kWrite, kKind, false, kStore>(v->region, address - v->region.begin, n, site);
  }
  const Body& body = context.worker->launch->body;
  if (address - reinterpret_cast<uintptr_t>(body.closure) < body.closure_bytes) return;
  if (!kWrite) {
    if (in_read_only_image(address)) return;
  }
  if (context.worker->fibers.owns(reinterpret_cast<const void*>(address)))
    return report_local_of_another(n, kWrite, site);
  if (locate(reinterpret_cast<const void*>(address)).place == cudacpu::Place::kPinned) return;
  report_host_pointer(address, n, kWrite, site);
}

// ---- the host's accesses ---------------------------------------------------------------------

[[gnu::noinline]] void host_touches_arena(uintptr_t address, size_t n, bool write, Kind kind,
                                          const void* site) {
  // The allocation in host memory that was found last: programs mostly use the same allocation many
  // times in a row.
  static thread_local uintptr_t begin, end;
  static thread_local const uint8_t* state_of_begin;
  const uint8_t* state = arena.state + (address - arena.begin) / kWord;
  if (!(state_of_begin && address >= begin && address + n <= end && *state == kAllValid)) {
    const int number = find_allocation_number(address);
    const AllocationInfo info = number >= 0 ? allocation_info(number) : AllocationInfo{};
    const bool usable =
        number >= 0 && info.live && address >= info.base && address + n <= info.base + info.bytes &&
        (info.memory == observe::Memory::kManaged || info.memory == observe::Memory::kPinned);
    if (!usable) return report_device_pointer(address, n, write, number, nullptr, site);
    begin = info.base;
    end = info.base + info.bytes;
    state_of_begin = state;
  }
  if (!host_is_behind()) return;
  check_host_conflict(address, n, write, kind, site);
  open_managed_page(address);
}

void host_touches(uintptr_t address, size_t n, bool write, Kind kind, const void* site) {
  if (UNLIKELY(arena.has(address))) return host_touches_arena(address, n, write, kind, site);
  if (UNLIKELY(address >= variables_begin && address < variables_end)) {
    const VariableRegion* v = variable_region(address);
    if (!v || v->variable->kind == std::string_view("__managed__")) return;
    if (in_read_only_image(address)) return;  // const, and the host may use its initial value
    report_device_pointer(address, n, write, -1, v->variable, site);
  }
  if (UNLIKELY(may_be_copied(address, n))) check_host_copies(address, n, write, site);
}

// Whether the CPU device itself makes the access: the linker may have taken the program's
// instrumented copy of a C++ library function that the CPU device calls too.
inline bool is_ours() {
  return UNLIKELY(context.busy);
}

// Handles accesses of global memory for which a few compares suffice; returns false for all others.
// The function is short and calls nothing: scattered accesses miss the processor's caches, and the
// fewer instructions the function has, the more misses the processor handles at the same time.
template <size_t n, bool kWrite>
inline bool access_quickly(uintptr_t address, const void* site) {
  const size_t offset = address - arena.begin;
  if (!context.worker || is_ours() || offset >= arena.bytes || offset % n != 0) return false;
  if (kWrite && UNLIKELY(any_pending)) return false;  // see settle_writes()
  const size_t word = offset / kWord;
  const CachedSite& cached = cached_sites[reinterpret_cast<uintptr_t>(site) % kCachedSites];
  if (arena.lines[word / kLine] != kLineValid || cached.pc != site) return false;
  const Record me = now.me | cached.number << kSiteShift | kPlain;
  // A thread's second read leaves the record of the first if the thread's clock has not changed.
  const auto same = [me](Record readers) {
    return !kWrite && (readers ^ me) >> kClockShift == 0 && kind_of(readers) == kPlain;
  };
  bool known = true;
  Cell* const cells = arena.cells + word;
  for (size_t i = 0; i < n / kWord; ++i) {
    const Record readers = cells[i].readers;  // two are never clearly ordered
    known &= clearly_ordered<false>(cells[i].write) &&
             (same(readers) || clearly_ordered<false>(readers));
  }
  if (!known) return false;
  for (size_t i = 0; i < n / kWord; ++i) {
    if (kWrite) cells[i].write = me;
    if (!same(cells[i].readers)) cells[i].readers = kWrite ? 0 : me;
  }
  return true;
}

template <size_t n, bool kWrite, Kind kKind, bool kStore = false>
inline void access(const volatile void* pointer, const void* site) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (is_ours()) return;
  if (UNLIKELY(!context.worker)) return host_touches(address, n, kWrite, kKind, site);
  size_t offset = address - arena.begin;
  if (offset < arena.bytes) return touch<n, kWrite, kKind, false, kStore>(arena, offset, site);
  offset = address - now.shared.begin;
  if (offset < now.shared.bytes)
    return touch<n, kWrite, kKind, true, kStore>(now.shared, offset, site);
  touch_other<kWrite, kKind, kStore>(address, n, site);
}

template <size_t n, bool kWrite>
[[gnu::noinline]] void access_slowly(const volatile void* pointer, const void* site) {
  access<n, kWrite, kPlain>(pointer, site);
}
template <size_t n, bool kWrite>
inline void plain_access(const volatile void* pointer, const void* site) {
  if constexpr (n >= kWord) {
    if (access_quickly<n, kWrite>(reinterpret_cast<uintptr_t>(pointer), site)) return;
  }
  access_slowly<n, kWrite>(pointer, site);
}

template <bool kWrite>
void any_access(const volatile void* pointer, size_t n, const void* site) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (n == 0 || is_ours()) return;
  if (!context.worker) return host_touches(address, n, kWrite, kPlain, site);
  if (arena.has(address))
    return touch_any<kWrite, kPlain, false>(arena, address - arena.begin, n, site);
  if (now.shared.has(address)) {
    return touch_any<kWrite, kPlain, true>(now.shared, address - now.shared.begin, n, site);
  }
  touch_other<kWrite, kPlain>(address, n, site);
}

// Whether the address is in memory that threads of a kernel share.
inline bool is_shared_by_threads(uintptr_t address) {
  return arena.has(address) || shared_region(address) || variable_region(address) ||
         (now.in_cluster && owner_of_shared(address));
}

// An atomic by a kernel: reads and perhaps writes, or stores. The acquire comes after the check:
// the value read does not order the atomic behind an earlier plain write of that value, because the
// atomic could have come before the write.
template <size_t n, bool kWrite, bool kStore = false>
inline void atomic_access(const volatile void* pointer, const void* site) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  access<n, kWrite, kAtomic, kStore>(pointer, site);
  if (context.worker && !is_ours() && is_shared_by_threads(address)) {
    NoPreemption guard;
    acquire(address);
    if (kWrite) {
      release(address);
      note_published();
    }
  }
}

// Threads run nearly in order on the CPU device, but no program may rely on the order in which
// threads reach an atomic operation. So every second thread lets the others go first, once in an
// epoch; but not before an atomicCAS, because the loop's read before the atomicCAS belongs to the
// operation.
inline void let_others_go_first(const volatile void* pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (!context.worker || is_ours() || now.thread % 2 == 0) return;
  if (!is_shared_by_threads(address)) return;
  static thread_local uint32_t epoch;
  static thread_local std::bitset<kMaxBlockThreads> went;
  if (epoch != now.epoch) went.reset();
  epoch = now.epoch;
  if (went[now.thread]) return;
  went.set(now.thread);
  yield();
}

template <size_t n, bool kWrite>
inline void volatile_access(const volatile void* pointer, const void* site) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const bool of_device = context.worker && !is_ours() && is_shared_by_threads(address);
  // A loop that polls for another thread's write lets the other thread run. note_atomic() comes
  // before the acquire, because the load comes right after this function and sees all writes until
  // then.
  if (!kWrite && of_device) note_atomic();
  // A store publishes what its thread knows; only then is the variable a flag.
  if (of_device) {
    NoPreemption guard;
    if (kWrite) {
      release(address);
      note_flag_write(address, n);
    } else {
      note_poll(address, site);
    }
  }
  access<n, kWrite, kVolatile>(pointer, site);
  if (!of_device) return;
  NoPreemption guard;
  if (kWrite) {
    note_published();
  } else {
    acquire(address);
  }
}

}  // namespace

bool any_pending;

void settle_pending() {
  NoPreemption guard;
  for (const Pending& p : pending())
    settle(p);
  pending().clear();
  any_pending = false;
}

void access_range(const volatile void* pointer, size_t bytes, bool write, const void* site) {
  if (write) {
    any_access<true>(pointer, bytes, site);
  } else {
    any_access<false>(pointer, bytes, site);
  }
}

}  // namespace cudacpu::sanitize

// ---- the entry points ------------------------------------------------------------------------

using cudacpu::context;
using cudacpu::NoPreemption;
using namespace cudacpu::sanitize;

#define ENTRY extern "C" __attribute__((visibility("default")))

ENTRY void __tsan_init() {}
ENTRY void __tsan_func_entry(void*) {}
ENTRY void __tsan_func_exit() {}
ENTRY void __tsan_vptr_update(void** pointer, void*) {
  access<8, true, kPlain>(pointer, SITE);
}
ENTRY void __tsan_vptr_read(void** pointer) {
  access<8, false, kPlain>(pointer, SITE);
}
ENTRY void __tsan_read_range(void* pointer, unsigned long bytes) {
  any_access<false>(pointer, bytes, SITE);
}
ENTRY void __tsan_write_range(void* pointer, unsigned long bytes) {
  any_access<true>(pointer, bytes, SITE);
}

#define ACCESSES(n)                              \
  ENTRY void __tsan_read##n(void* p) {           \
    plain_access<n, false>(p, SITE);             \
  }                                              \
  ENTRY void __tsan_write##n(void* p) {          \
    plain_access<n, true>(p, SITE);              \
  }                                              \
  ENTRY void __tsan_volatile_read##n(void* p) {  \
    volatile_access<n, false>(p, SITE);          \
  }                                              \
  ENTRY void __tsan_volatile_write##n(void* p) { \
    volatile_access<n, true>(p, SITE);           \
  }
#define UNALIGNED(n)                                       \
  ENTRY void __tsan_unaligned_read##n(void* p) {           \
    any_access<false>(p, n, SITE);                         \
  }                                                        \
  ENTRY void __tsan_unaligned_write##n(void* p) {          \
    any_access<true>(p, n, SITE);                          \
  }                                                        \
  ENTRY void __tsan_unaligned_volatile_read##n(void* p) {  \
    volatile_access<n, false>(p, SITE);                    \
  }                                                        \
  ENTRY void __tsan_unaligned_volatile_write##n(void* p) { \
    volatile_access<n, true>(p, SITE);                     \
  }

// To clang-format, macros that define functions look like declarations.
// clang-format off
ACCESSES(1) ACCESSES(2) ACCESSES(4) ACCESSES(8) ACCESSES(16)
UNALIGNED(2) UNALIGNED(4) UNALIGNED(8) UNALIGNED(16)
// clang-format on

// Atomics: the instrumentation calls these functions in place of the operation.
#define FETCH(bits, T, name, operation)                               \
  ENTRY T __tsan_atomic##bits##_##name(volatile T* p, T value, int) { \
    let_others_go_first(p);                                           \
    atomic_access<bits / 8, true>(p, SITE);                           \
    return operation(p, value, __ATOMIC_SEQ_CST);                     \
  }
#define ATOMICS(bits, T)                                                                          \
  ENTRY T __tsan_atomic##bits##_load(const volatile T* p, int) {                                  \
    atomic_access<bits / 8, false>(p, SITE);                                                      \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                               \
  ENTRY void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                           \
    atomic_access<bits / 8, true, true>(p, SITE);                                                 \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                               \
  FETCH(bits, T, exchange, __atomic_exchange_n)                                                   \
  FETCH(bits, T, fetch_add, __atomic_fetch_add)                                                   \
  FETCH(bits, T, fetch_sub, __atomic_fetch_sub)                                                   \
  FETCH(bits, T, fetch_and, __atomic_fetch_and)                                                   \
  FETCH(bits, T, fetch_or, __atomic_fetch_or)                                                     \
  FETCH(bits, T, fetch_xor, __atomic_fetch_xor)                                                   \
  FETCH(bits, T, fetch_nand, __atomic_fetch_nand)                                                 \
  ENTRY int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T value,    \
                                                          int, int) {                             \
    if (any_pending) forgive_read(p);                                                             \
    atomic_access<bits / 8, true>(p, SITE);                                                       \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST,               \
                                       __ATOMIC_SEQ_CST);                                         \
  }                                                                                               \
  ENTRY int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T value, int, \
                                                        int) {                                    \
    if (any_pending) forgive_read(p);                                                             \
    atomic_access<bits / 8, true>(p, SITE);                                                       \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST,               \
                                       __ATOMIC_SEQ_CST);                                         \
  }                                                                                               \
  ENTRY T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T value, int,     \
                                                     int) {                                       \
    if (any_pending) forgive_read(p);                                                             \
    atomic_access<bits / 8, true>(p, SITE);                                                       \
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
    return expected;                                                                              \
  }
    // clang-format off
ATOMICS(8, uint8_t) ATOMICS(16, uint16_t) ATOMICS(32, uint32_t) ATOMICS(64, uint64_t)
    // clang-format on

    ENTRY void __tsan_atomic_thread_fence(int) {
  if (context.worker && !is_ours()) {
    NoPreemption guard;
    pass_fence(true);
  }
}
ENTRY void __tsan_atomic_signal_fence(int) {}
