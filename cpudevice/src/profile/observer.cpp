// The profile's implementation of diagnostics/observer.h, and the functions that a program may call
// itself.
#include "diagnostics/observer.h"

#include <algorithm>
#include <cstring>

#include "cudacpu_profile.h"
#include "memory/location.h"
#include "profile/foreign_memory.h"
#include "profile/gpu/clocks.h"
#include "profile/gpu/texels.h"
#include "profile/profiler.h"
#include "profile/record.h"
#include "profile/trace/places.h"

using cudacpu::profile::HostOperation;
using cudacpu::profile::kBarrier;
using cudacpu::profile::kLeastSleepNs;
using cudacpu::profile::kSleep;
using cudacpu::profile::kWarpSync;
using cudacpu::profile::profiler;
using cudacpu::profile::record;
using cudacpu::profile::recorder;
using cudacpu::profile::running_profiler;

namespace cudacpu::observe {

// Of diagnostics.h, for the program alone.
void before_atomic(const void* place);
void exchanged(unsigned clocks, unsigned instructions, unsigned present);
void sleep(unsigned ns);
void matrix_product(unsigned factors, unsigned sums, unsigned multiplications);

namespace {
// The second word for the running thread's next product: see profile/trace/event.h.
uint64_t matrix_work = 0;
}  // namespace

void launch_begin(const Launch& launch, void* stream) {
  profiler().launch_begin(launch, stream);
}
void launch_end(const Launch&, int) {
  profiler().launch_end();
}
void block_begin(const Block& block) {
  profiler().block_begin(block);
}
void block_resume(const Block& block) {
  profiler().block_resume(block);
}
void block_end(const Block& block) {
  profiler().block_end(block);
}
// The frames of all hooks have the same form, so this hook's frame stands for the loop that calls
// the hook.
void thread_begin(unsigned id) {
  profiler().thread_begin(id, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}
void thread_resume(unsigned id) {
  running_profiler().thread_resume(id);
}
void thread_end(unsigned id) {
  profiler().thread_end(id);
}
void blocks_abandoned() {
  profiler().blocks_abandoned();
}

void barrier_arrive(unsigned id, const char*, const void* site) {
  running_profiler().arrive(id, kBarrier, 0, site);
}
void barrier_complete(const Block& block) {
  profiler().barrier_complete(block);
}
void warp_arrive(unsigned id, unsigned mask, const char* what, const void* site) {
  const auto begins = [what](const char* name) { return strncmp(what, name, strlen(name)) == 0; };
  const uint8_t kind = matrix_work                                   ? profile::kMatrix
                       : begins("__shfl") || begins("shfl")          ? profile::kShuffle
                       : begins("__reduce") || begins("__match_all") ? profile::kReduction
                       : begins("__")                                ? kWarpSync
                       : begins("wmma::") || begins("ldmatrix")      ? profile::kTogether
                                                                     : kWarpSync;
  profiler().arrive(id, kind, mask | matrix_work, site);
  matrix_work = 0;
}
void matrix_product(unsigned factors, unsigned sums, unsigned multiplications) {
  matrix_work = profile::matrix_word(factors, sums, multiplications);
}
void warp_complete(const Block& block, unsigned warp, unsigned, unsigned arrived) {
  profiler().warp_complete(block, warp, arrived);
}
void active_mask(const Block&, unsigned, unsigned) {}
void cluster_begin(const Cluster&) {}
void cluster_complete(const Cluster& cluster) {
  profiler().cluster_complete(cluster);
}
// Named barriers are neither counted nor modelled.
void named_arrive(const void*) {}
void named_pass(const void*) {}
void grid_arrive(unsigned id, const char*, const void* site) {
  profiler().arrive(id, kBarrier, 0, site);
}
void grid_complete(const Launch&) {
  profiler().grid_complete();
}
bool repair_fault(const void*, bool, const void*) {
  return false;
}
namespace {

// Finds the place of a texture's memory in the profile. A texture may lie in any memory that
// kernels can read.
bool place_of_texture(uintptr_t data, uint64_t* place) {
  const profile::Recorder& r = profile::recorder;
  profile::Space space;
  if (r.arena.has(data)) {
    *place = data - r.arena.begin;
  } else if (r.registered.has(data)) {
    *place = profile::kRegistered + (data - r.registered.begin);
  } else {
    return r.variables.has(data) && profile::locate_variable(data, &space, place);
  }
  return true;
}

}  // namespace

void texture_read(const TextureRead& read, const void* site, const void* frame) {
  const profile::Recorder& r = profile::recorder;
  uint8_t kind;
  uint64_t place, word;
  if (!r.next || !place_of_texture(reinterpret_cast<uintptr_t>(read.data), &place)) return;
  if (!profile::encode_fetch(read, place, &kind, &word)) return;
  const auto log_bytes = static_cast<uint8_t>(__builtin_ctz(read.element_bytes));
  profile::record(kind | log_bytes, word, reinterpret_cast<uintptr_t>(frame),
                  reinterpret_cast<uintptr_t>(site));
}
void copy_begins(void* to, size_t bytes, const void* site, const void* frame) {
  const profile::Recorder& r = profile::recorder;
  const auto address = reinterpret_cast<uintptr_t>(to);
  if (!r.next || !r.shared.has(address)) return;
  const unsigned size = static_cast<unsigned>(__builtin_ctzll(bytes)) + profile::kAsynchronous;
  profile::record(profile::access_kind(profile::Space::kShared, profile::Operation::kStore, size),
                  address - r.shared.begin, reinterpret_cast<uintptr_t>(frame),
                  reinterpret_cast<uintptr_t>(site));
}
void copy_ends(void*, size_t, const void*) {}
void bulk_copy_begins(void* to, const void* from, size_t bytes, const void* site,
                      const void* frame) {
  if (!profile::recorder.next) return;
  const auto at = reinterpret_cast<uintptr_t>(site), depth = reinterpret_cast<uintptr_t>(frame);
  profile::use_in_bulk(from, bytes, profile::Operation::kLoad, depth, at);
  profile::use_in_bulk(to, bytes, profile::Operation::kStore, depth, at);
}
void bulk_copy_ends(void*, size_t, const void*) {}
void bulk_source_read(const void*, size_t, const void*) {}
void fence(Scope) {}
void barrier(unsigned) {}
void absent_lane_read(unsigned) {}
void exchanged(unsigned clocks, unsigned instructions, unsigned present) {
  if (lane_id() != static_cast<unsigned>(__builtin_ctz(present))) return;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned behind = threads - linear_thread() / kWarpSize * kWarpSize;
  const double lanes = behind < kWarpSize ? behind : kWarpSize;
  profiler().exchanged(clocks, instructions, __builtin_popcount(present) / lanes);
}
void sleep(unsigned ns) {
  if (recorder.next) record(kSleep, std::max<uint64_t>(ns, kLeastSleepNs), FRAME, CALLER);
}
void before_atomic(const void* place) {
  profile::before_atomic(place);
}

void allocated(void* base, size_t bytes, Memory memory, const char*) {
  HostOperation operation{memory == Memory::kPinned    ? "malloc_host"
                          : memory == Memory::kManaged ? "malloc_managed"
                                                       : "malloc"};
  if (in_kernel()) return profiler().use_heap();
  operation.bytes = bytes;
  profiler().host().allocated(base, bytes, memory == Memory::kManaged);
  profiler().host().note(operation);
}

void freed(void* base, size_t bytes, Memory memory, const char*) {
  profile::forget_host_ranges();
  if (in_kernel()) return profiler().use_heap();
  HostOperation operation{memory == Memory::kPinned ? "free_host" : "free"};
  operation.bytes = bytes;
  profiler().host().freed(base);
  profiler().host().note(operation);
}

void bad_free(const void*, bool, const char*) {}
void bad_range(const void*, bool, const char*) {}
void freeing_in_stream(void*, size_t, const char*, cudaStream_t) {}

void registered(void*, size_t bytes) {
  HostOperation operation{"host_register"};
  operation.bytes = bytes;
  profiler().host().note(operation);
}
void unregistered(void*, size_t bytes) {
  HostOperation operation{"host_unregister"};
  operation.bytes = bytes;
  profiler().host().note(operation);
}

void transferring(const Transfer& transfer) {
  if (!transfer.destination) return;
  const auto* const caller = static_cast<const char*>(__builtin_return_address(0));
  profile::check_host_write(reinterpret_cast<uintptr_t>(transfer.destination),
                            reinterpret_cast<uintptr_t>(caller));
  const auto on_host = [](Place place) {
    return place == Place::kPageable || place == Place::kPinned;
  };
  const Place to = locate(transfer.destination).place;
  const Place from = transfer.source ? locate(transfer.source).place : Place::kDevice;
  HostOperation operation{!transfer.source               ? "memset"
                          : on_host(from) && on_host(to) ? "memcpy_h2h"
                          : on_host(from)                ? "memcpy_h2d"
                          : on_host(to)                  ? "memcpy_d2h"
                                                         : "memcpy_d2d"};
  operation.bytes = transfer.width * transfer.height * transfer.depth;
  // The device copies managed memory, so pages on the host move to the device first.
  const auto bring = [&](const void* base, size_t pitch, size_t slice) {
    const size_t rows = (transfer.depth - 1) * slice + (transfer.height - 1) * pitch;
    profiler().host().bring_to(profile::Residence::kDevice, base, rows + transfer.width);
  };
  if (operation.bytes && from == Place::kManaged && transfer.source)
    bring(transfer.source, transfer.source_pitch, transfer.source_slice);
  if (operation.bytes && to == Place::kManaged)
    bring(transfer.destination, transfer.destination_pitch, transfer.destination_slice);
  operation.pinned = from != Place::kPageable && to != Place::kPageable &&
                     (from == Place::kPinned || to == Place::kPinned);
  operation.stream = transfer.stream;
  operation.async = transfer.async;
  profiler().host().note(operation);
}

void prefetched(const void* base, size_t bytes, bool to_host, cudaStream_t stream) {
  HostOperation operation{to_host ? "prefetch_to_host" : "prefetch"};
  operation.bytes = bytes;
  operation.stream = stream;
  operation.async = true;
  profiler().host().prefetched(base, bytes, to_host);
  profiler().host().note(operation);
}

namespace {

void note(const char* name, const void* stream) {
  HostOperation operation{name};
  operation.stream = stream;
  profiler().host().note(operation);
}

}  // namespace

void stream_created(cudaStream_t stream, bool) {
  note("stream_create", stream);
}
void stream_destroyed(cudaStream_t stream) {
  note("stream_destroy", stream);
}
void stream_synchronized(cudaStream_t stream) {
  note("stream_sync", stream);
}
void device_synchronized() {
  note("sync", nullptr);
}
void free_waited() {}  // takes the time of the call: model/timeline.py
void event_recorded(cudaEvent_t event, cudaStream_t stream) {
  profiler().host().event_recorded(event, stream);
}
void event_synchronized(cudaEvent_t event) {
  profiler().host().event_awaited("event_sync", event, nullptr);
}
void events_timed(cudaEvent_t, cudaEvent_t) {}
void event_destroyed(cudaEvent_t) {}
void stream_waits(cudaStream_t stream, cudaEvent_t event) {
  profiler().host().event_awaited("stream_wait", event, stream);
}
void host_function_begin(cudaStream_t stream) {
  profiler().host().begin_host_function(stream);
}
void host_function_end(cudaStream_t) {
  profiler().host().end_host_function();
}
void device_reset() {}
void call_stopped(const void* const*, int, double) {}

}  // namespace cudacpu::observe

extern "C" {

// Declared for programs in include/cudacpu_profile.h.
void cudacpu_profile_reset() {
  profiler().reset();
}
void cudacpu_profile_pause() {
  cudacpu::profile::profiler().pause();
}
void cudacpu_profile_write(const char* path) {
  profiler().write(path);
}
const char* cudacpu_profile_text(size_t* bytes) {
  const std::string& text = profiler().text();
  *bytes = text.size();
  return text.data();
}
}
