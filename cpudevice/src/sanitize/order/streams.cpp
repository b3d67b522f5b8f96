#include "sanitize/order/streams.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "memory/location.h"
#include "sanitize/findings/findings.h"
#include "sanitize/memory/allocations.h"
#include "sanitize/memory/program_memory.h"
#include "sanitize/order/epochs.h"
#include "sanitize/order/host_copies.h"

namespace cudacpu::sanitize {
namespace {

// A vector clock: for each stream the number of its last operation known to be over. Operations
// count from 1.
using Clock = std::vector<uint32_t>;

struct Stream {
  bool blocking = true;  // towards the default stream
  bool live = true;
  Clock clock;  // of its last operation, and of everything ordered before
  std::vector<uint32_t> operations;
};

struct Streams {
  // Also held during a whole launch: other host threads wait before changing the epochs.
  std::recursive_mutex mutex;
  std::vector<Operation> operations{Operation{}};
  std::vector<unsigned> stream_of{0};
  std::vector<Stream> streams{Stream{}};  // the default stream is the first
  std::map<cudaStream_t, unsigned> numbers;
  std::map<cudaEvent_t, Clock> events;
  Clock host, running;  // the operations before the host, and before the running operation
  uint32_t running_number = 0;
  uint32_t host_ordered_before = 1;
  std::atomic<bool> host_is_behind{false};  // whether the host has yet to wait for an operation
  std::set<uintptr_t> protected_pages;
};
Streams& all() {
  static auto* const instance = new Streams;
  return *instance;
}

using Lock = std::lock_guard<std::recursive_mutex>;

uint32_t at(const Clock& clock, unsigned stream) {
  return stream < clock.size() ? clock[stream] : 0;
}

void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i)
    clock[i] = std::max(clock[i], other[i]);
}

unsigned number_of(cudaStream_t stream) {
  const auto found = all().numbers.find(stream);
  return found == all().numbers.end() ? 0 : found->second;
}

// Returns the first epoch of an operation not ordered before `clock`; the next new epoch if all
// are.
uint32_t ordered_before(const Clock& clock) {
  uint32_t first = next_epoch();
  for (unsigned s = 0; s < all().streams.size(); ++s) {
    const auto& operations = all().streams[s].operations;
    const auto open = std::upper_bound(operations.begin(), operations.end(), at(clock, s));
    if (open != operations.end()) first = std::min(first, all().operations[*open].first_epoch);
  }
  return first;
}

// The newest operation in `clock` that the host has not waited for; null if the host has waited for
// all.
const Operation* newest_not_waited_for(const Clock& clock) {
  uint32_t newest = 0;
  for (unsigned s = 0; s < clock.size(); ++s) {
    if (clock[s] > at(all().host, s)) newest = std::max(newest, clock[s]);
  }
  return newest ? &operation(newest) : nullptr;
}

void look_at_host() {
  all().host_ordered_before = ordered_before(all().host);
  all().host_is_behind = all().host_ordered_before < next_epoch();
}

void host_advances(const Clock& clock) {
  join(all().host, clock);
  look_at_host();
  forget_host_copies(host_waits_for);
}

// ---- managed memory --------------------------------------------------------------------------
// Until the host has waited for a launch, the pages of managed memory that the launch used are
// inaccessible, so that host code without instrumentation (numpy, for instance) is noticed.

constexpr size_t kMostManaged =
    // more managed memory is left open: the search would take too long
    size_t{64} << 20;

uintptr_t page_bytes() {
  static const auto bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void open_all_pages() {
  for (uintptr_t page : all().protected_pages) {
    mprotect(reinterpret_cast<void*>(page), page_bytes(), PROT_READ | PROT_WRITE);
  }
  all().protected_pages.clear();
}

bool touched_since(uintptr_t begin, uintptr_t end, uint32_t epoch) {
  for (uintptr_t a = begin; a < end; a += kWord) {
    const CellPlace place = arena.cell((a - arena.begin) / kWord);
    if (epoch_of(place.cell.write) >= epoch || epoch_of(place.last_read()) >= epoch) return true;
  }
  return false;
}

void close_touched_pages(uint32_t epoch) {
  size_t managed = 0;
  for (int number : live_allocations()) {
    const AllocationInfo info = allocation_info(number);
    if (info.memory != observe::Memory::kManaged || (managed += info.bytes) > kMostManaged)
      continue;
    const uintptr_t page = page_bytes();
    for (uintptr_t p = info.base / page * page; p < info.base + info.bytes; p += page) {
      if (!touched_since(std::max(p, info.base), std::min(p + page, info.base + info.bytes), epoch))
        continue;
      if (mprotect(reinterpret_cast<void*>(p), page, PROT_NONE) == 0)
        all().protected_pages.insert(p);
    }
  }
}

// ---- operations ------------------------------------------------------------------------------

uint32_t begin_operation(Operation operation, cudaStream_t stream) {
  Streams& s = all();
  open_all_pages();
  const unsigned number = number_of(stream);
  Clock clock = s.host;
  join(clock, s.streams[number].clock);
  if (number == 0) {
    for (const Stream& other : s.streams) {
      if (other.blocking) join(clock, other.clock);
    }
  } else if (s.streams[number].blocking) {
    join(clock, s.streams[0].clock);
  }
  operation.first_epoch = next_epoch();
  s.running = clock;
  s.running_number = static_cast<uint32_t>(s.operations.size());
  s.operations.push_back(std::move(operation));
  s.stream_of.push_back(number);
  Stream& mine = s.streams[number];
  mine.operations.push_back(s.running_number);
  mine.clock = std::move(clock);
  if (mine.clock.size() <= number) mine.clock.resize(number + 1);
  mine.clock[number] = s.running_number;
  return s.running_number;
}

void report_transfer(Record earlier, const char* verb, bool earlier_write, uintptr_t address,
                     const char* function) {
  const Operation& other = operation(instance_of(earlier).operation);
  Report report;
  report.cause = Cause::kRace;
  report.trace = backtrace_here();
  report.other.pc = pc_of_site(site_of(earlier));
  report.other_trace = other.trace;
  report.allocation = find_allocation_number(address);
  report.detail = instance_of(earlier).operation;
  report.sentence =
      std::string(function) + " " + verb + " what " +
      (other.kernel ? "kernel " + other.name : other.name) +
      (earlier_write ? " writes" : " reads") +
      " at {other}, and no event, stream or synchronisation orders the two: {allocation}";
  NoPreemption guard;
  add_finding(report);
}

// Records a row of a copy or fill in device memory, or freed memory, as an access.
void stamp(uintptr_t address, size_t n, bool write, uint32_t epoch, bool check,
           const char* function, const char* verb) {
  const Record me = make_record(epoch, 0, 0);
  const auto unordered = [&](Record r) {
    return r != 0 && !launch_waits_for(instance_of(r).operation);
  };
  const auto one = [&](CellPlace place, uintptr_t a) {
    Cell& cell = place.cell;
    if (check && unordered(cell.write)) report_transfer(cell.write, verb, true, a, function);
    if (write) {
      if (check && unordered(place.first_read())) {
        report_transfer(place.first_read(), verb, false, a, function);
      } else if (check && unordered(place.last_read())) {
        report_transfer(place.last_read(), verb, false, a, function);
      }
      cell.write = me;
      cell.readers = 0;
    } else {
      place.add_reader(me, !unordered(place.first_read()));
    }
  };
  for (uintptr_t a = address / kWord * kWord; a < address + n; a += kWord) {
    const CellPlace word = arena.cell((a - arena.begin) / kWord);
    if (is_expanded(word.cell)) {
      for (size_t i = 0; i < kWord; ++i) {
        if (a + i >= address && a + i < address + n) one(byte_cell(word, i), a + i);
      }
    } else {
      one(word, a);
    }
  }
}

// Copies the written state of a device row's bytes to another row, or marks all of them as written.
void copy_state(uintptr_t to, uintptr_t from, size_t n) {
  if (!arena.has(from)) {
    arena.set_state(to, n, 0x0F);
    return;
  }
  for (size_t i = 0; i < n;) {
    const size_t source = from + i - arena.begin;
    if (source % kWord == 0 && (to + i) % kWord == 0 && n - i >= kWord) {
      const size_t word = (to + i - arena.begin) / kWord;
      uint8_t& state = arena.state[word];
      state = (state & 0xF0) | (arena.state[source / kWord] & 0x0F);
      arena.lines[word / kLine] = 0;
      i += kWord;
      continue;
    }
    if (arena.state[source / kWord] >> source % kWord & 1) {
      arena.set_state(to + i, 1, 0x0F);
    } else {
      arena.clear_state(to + i, 1, 0x0F);
    }
    ++i;
  }
}

}  // namespace

const Operation& operation(uint32_t number) {
  return all().operations[number];
}
uint32_t current_operation() {
  return all().running_number;
}

bool launch_waits_for(uint32_t earlier) {
  return earlier == all().running_number || at(all().running, all().stream_of[earlier]) >= earlier;
}

bool host_waits_for(uint32_t earlier) {
  return at(all().host, all().stream_of[earlier]) >= earlier;
}

bool host_is_behind() {
  return all().host_is_behind.load(std::memory_order_relaxed);
}

namespace {

// The host accesses at `site` the same memory as the operation.
Report host_race(bool write, const void* site, uint32_t number, bool other_writes) {
  const Operation& other = operation(number);
  Report report;
  report.cause = Cause::kRace;
  report.place.pc = site;
  report.trace = backtrace_here();  // if the site is in another library
  report.other_trace = other.trace;
  report.detail = number;
  report.sentence = std::string("the host ") + (write ? "writes" : "reads") + " what " +
                    (other.kernel ? "kernel " + other.name : other.name) +
                    (other_writes ? " writes" : " reads") +
                    " at {other}, without having waited for it: cudaDeviceSynchronize() is "
                    "missing";
  return report;
}

}  // namespace

void check_host_conflict(uintptr_t address, size_t bytes, bool write, Kind kind, const void* site) {
  Lock lock(all().mutex);
  const uint32_t before = all().host_ordered_before;
  if (before >= next_epoch()) return;
  for (uintptr_t a = address / kWord * kWord; a < address + bytes; a += kWord) {
    const CellPlace word = arena.cell((a - arena.begin) / kWord);
    const CellPlace place =
        is_expanded(word.cell) ? byte_cell(word, std::max(a, address) % kWord) : word;
    const Record written = place.cell.write;
    for (const Record r :
         {written, write ? place.first_read() : 0, write ? place.last_read() : 0}) {
      if (epoch_of(r) < before || host_waits_for(instance_of(r).operation)) continue;
      // Host and kernel may signal each other by volatile or atomic accesses.
      if (kind != kPlain && kind_of(r) != kPlain) continue;
      const bool earlier_write = r == written;
      Report report = host_race(write, site, instance_of(r).operation, earlier_write);
      report.other.pc = pc_of_site(site_of(r));
      report.allocation = find_allocation_number(a);
      report.sentence += "; {allocation}";
      add_finding(report);
      return;
    }
  }
}

void check_host_copies(uintptr_t address, size_t bytes, bool write, const void* site) {
  HostCopy copy;
  if (!find_host_copy(address, bytes, write, &copy)) return;
  Lock lock(all().mutex);
  add_finding(host_race(write, site, copy.operation, copy.write));
}

bool open_managed_page(uintptr_t address) {
  const uintptr_t page = address / page_bytes() * page_bytes();
  Lock lock(all().mutex);
  if (!all().protected_pages.erase(page)) return false;
  mprotect(reinterpret_cast<void*>(page), page_bytes(), PROT_READ | PROT_WRITE);
  return true;
}

void begin_launch(const Launch& launch, cudaStream_t stream) {
  all().mutex.lock();
  Operation operation;
  operation.name = launch.info->name;
  operation.kernel = true;
  operation.grid = launch.grid;
  operation.block = launch.block;
  begin_operation(std::move(operation), stream);
  now.ordered_before = ordered_before(all().running);
}

void end_launch_in_stream() {
  look_at_host();
  close_touched_pages(all().operations[all().running_number].first_epoch);
  all().mutex.unlock();
}

}  // namespace cudacpu::sanitize

namespace cudacpu::observe {

using namespace cudacpu::sanitize;

void transferring(const Transfer& t) {
  prepare_arena();
  Lock lock(all().mutex);
  find_new_variables();
  const auto to = reinterpret_cast<uintptr_t>(t.destination),
             from = reinterpret_cast<uintptr_t>(t.source);
  const bool to_arena = arena.has(to), from_arena = t.source && arena.has(from);
  // A copy can race only if several streams, or the host, may be working at the same time.
  const bool stamped = t.async || all().streams.size() > 1;
  Operation operation;
  operation.name = t.function;
  operation.kernel = false;
  if (stamped) operation.trace = backtrace_here();
  const uint32_t number = begin_operation(std::move(operation), t.stream);
  const uint32_t limit = ordered_before(all().running);
  const bool check = stamped && limit < next_epoch();
  const uint32_t epoch = stamped ? new_epoch(new_instance(number, 0)) : 0;
  for (size_t z = 0; z < t.depth; ++z) {
    for (size_t y = 0; y < t.height; ++y) {
      const uintptr_t out = to + z * t.destination_slice + y * t.destination_pitch;
      const uintptr_t in = from + z * t.source_slice + y * t.source_pitch;
      if (stamped && from_arena) stamp(in, t.width, false, epoch, check, t.function, "reads");
      if (stamped && to_arena) stamp(out, t.width, true, epoch, check, t.function, "writes");
      if (to_arena) copy_state(out, t.source ? in : 0, t.width);
    }
  }
  const auto note_host_copy = [&](const void* place, size_t pitch, size_t slice, bool write) {
    for (size_t z = 0; z < t.depth; ++z) {
      add_host_copy({reinterpret_cast<uintptr_t>(place) + z * slice, t.width,
                     std::max(pitch, t.width), t.height, write, number});
    }
  };
  const auto is_registered = [&](const void* place, bool in_arena) {
    return t.async && place && !in_arena && t.width && t.height &&
           locate(place).place == Place::kPinned;
  };
  const bool to_registered = is_registered(t.destination, to_arena);
  if (to_registered) note_host_copy(t.destination, t.destination_pitch, t.destination_slice, true);
  if (is_registered(t.source, from_arena))
    note_host_copy(t.source, t.source_pitch, t.source_slice, false);
  // Even asynchronous copies into pageable memory return only after the copy.
  if (t.destination && !to_registered && (!t.async || !to_arena))
    host_advances(all().streams[number_of(t.stream)].clock);
  look_at_host();
}

void freeing_in_stream(void* base, size_t bytes, const char* function, cudaStream_t stream) {
  Lock lock(all().mutex);
  Operation operation;
  operation.name = function;
  operation.trace = backtrace_here();
  const uint32_t number = begin_operation(std::move(operation), stream);
  const uint32_t epoch = new_epoch(new_instance(number, 0));
  stamp(reinterpret_cast<uintptr_t>(base), bytes, true, epoch, true, function, "frees");
  look_at_host();
}

void prefetched(const void*, size_t, bool, cudaStream_t) {}

void stream_created(cudaStream_t stream, bool non_blocking) {
  Lock lock(all().mutex);
  all().numbers[stream] = static_cast<unsigned>(all().streams.size());
  Stream fresh;
  fresh.blocking = !non_blocking;
  all().streams.push_back(fresh);
}

void stream_destroyed(cudaStream_t stream) {
  // The stream's work still runs to the end; only a synchronisation of the device waits for the
  // work.
  Lock lock(all().mutex);
  all().numbers.erase(stream);
}

void stream_synchronized(cudaStream_t stream) {
  Lock lock(all().mutex);
  open_all_pages();
  const unsigned number = number_of(stream);
  Clock clock = all().streams[number].clock;
  if (number == 0) {
    for (const Stream& other : all().streams) {
      if (other.blocking) join(clock, other.clock);
    }
  }
  host_advances(clock);
}

void device_synchronized() {
  Lock lock(all().mutex);
  open_all_pages();
  for (const Stream& stream : all().streams)
    join(all().host, stream.clock);
  host_advances({});
}

void free_waited() {
  device_synchronized();
}

void event_recorded(cudaEvent_t event, cudaStream_t stream) {
  Lock lock(all().mutex);
  const unsigned number = number_of(stream);
  Clock clock = all().host;
  join(clock, all().streams[number].clock);
  if (number == 0) {
    for (const Stream& other : all().streams) {
      if (other.blocking) join(clock, other.clock);
    }
  } else if (all().streams[number].blocking) {
    join(clock, all().streams[0].clock);
  }
  all().events[event] = clock;
}

void event_synchronized(cudaEvent_t event) {
  Lock lock(all().mutex);
  open_all_pages();
  const auto found = all().events.find(event);
  if (found != all().events.end()) host_advances(found->second);
}

void events_timed(cudaEvent_t start, cudaEvent_t stop) {
  Lock lock(all().mutex);
  for (cudaEvent_t event : {stop, start}) {
    const auto found = all().events.find(event);
    if (found == all().events.end()) continue;
    const Operation* const last = newest_not_waited_for(found->second);
    if (!last) continue;
    Report report;
    report.cause = Cause::kRace;
    report.trace = backtrace_here();
    report.against = last->name;
    report.sentence =
        "cudaEventElapsedTime asks for the time of an event that may not have been "
        "reached, since the host has not waited for " +
        (last->kernel ? "kernel " + last->name : last->name) +
        " before it; a GPU then returns cudaErrorNotReady: cudaEventSynchronize() is "
        "missing";
    add_finding(report);
    return;
  }
}

void event_destroyed(cudaEvent_t event) {
  Lock lock(all().mutex);
  all().events.erase(event);
}

void stream_waits(cudaStream_t stream, cudaEvent_t event) {
  Lock lock(all().mutex);
  const auto found = all().events.find(event);
  if (found != all().events.end()) join(all().streams[number_of(stream)].clock, found->second);
}

// The function runs when its stream gets there, and sees all earlier work of the stream.
void host_function_begin(cudaStream_t stream) {
  stream_synchronized(stream);
}
void host_function_end(cudaStream_t) {}

void device_reset() {
  device_synchronized();
  Lock lock(all().mutex);
  all().numbers.clear();
  all().events.clear();
}

}  // namespace cudacpu::observe
