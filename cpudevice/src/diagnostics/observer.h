// The events of a program that the diagnostic modes see, apart from memory accesses, which the
// compiler's instrumentation reports. The scheduler and the host API call these functions; in run
// mode they are empty and cost nothing, in the other modes src/sanitize or src/profile implements
// them all.
//
// Both modes run all blocks on a single worker, on the OS thread that launches, so an observer
// needs no locks for the events of kernels. Several threads may call the functions under "host", so
// they lock for themselves.
#pragma once

#include "cuda_runtime_api.h"
#include "cudacpu/runtime.h"

namespace cudacpu {

struct Launch;
struct Block;
class Cluster;

namespace observe {

// How memory was allocated: the names in reports ("cudaMalloc") are literals of the API functions.
enum class Memory { kDevice, kManaged, kPinned, kDeviceHeap };

// A copy or fill that the host calls, before its execution. A transfer has `depth` slices of
// `height` rows of `width` bytes; distances are in bytes. A fill has no source; a read by a library
// function has no destination.
struct Transfer {
  const char* function;  // "cudaMemcpyAsync"
  void* destination;
  const void* source;
  size_t width, height, depth;
  size_t destination_pitch, destination_slice, source_pitch, source_slice;
  cudaStream_t stream;  // null for the default stream
  bool async;           // the call may return before the transfer is done
};

// The elements that a texture fetch of a kernel is about to read: from `first` to `second` in each
// dimension, equal in a fetch without a filter.
struct TextureRead {
  const char* data;
  size_t pitch, slice;
  unsigned element_bytes;
  bool is_linear_memory;  // not an array, and so not tiled on a GPU
  bool is_one_row;
  int first[3], second[3];
};

#if CUDACPU_DIAGNOSTICS

// ---- kernels ---------------------------------------------------------------------------------
// A launch that passed validation begins, in `stream`, with a copy of its arguments in
// launch.body.closure; then ends, with a cudaError_t: if the launch failed, launch.failure says
// how.
void launch_begin(const Launch& launch, void* stream);
void launch_end(const Launch& launch, int error);
// A block starts, with new shared memory; runs again after another block of the same worker; ends,
// after all its threads have returned.
void block_begin(const Block& block);
void block_resume(const Block& block);
void block_end(const Block& block);
// The thread with number `id` in its block is about to execute its first instruction; continues
// after a wait; has returned. Between two of these calls all accesses come from the thread named
// last.
void thread_begin(unsigned id);
void thread_resume(unsigned id);
void thread_end(unsigned id);
// All blocks of a cluster have begun; the cluster's barrier opens (threads reach it by
// grid_arrive).
void cluster_begin(const Cluster& cluster);
void cluster_complete(const Cluster& cluster);
// The running thread has failed or was stopped, and with the thread all blocks of its worker: none
// of their threads continues. The launch has not ended yet.
void blocks_abandoned();

// A thread reaches the block's barrier (`site`: the return address, in the student's code); the
// barrier opens, and `arrived` has the threads that waited in it.
void barrier_arrive(unsigned id, const char* what, const void* site);
void barrier_complete(const Block& block);
// A thread reaches a meeting of the lanes in `mask`; the lanes in `arrived` continue together.
void warp_arrive(unsigned id, unsigned mask, const char* what, const void* site);
void warp_complete(const Block& block, unsigned warp, unsigned mask, unsigned arrived);
// A thread asks for the active mask; `lanes` get the same answer.
void active_mask(const Block& block, unsigned warp, unsigned lanes);
// A thread comes to a numbered barrier of its block; and has waited at the barrier.
void named_arrive(const void* barrier);
void named_pass(const void* barrier);
// A thread reaches the grid's barrier; the barrier opens for all blocks of the launch.
void grid_arrive(unsigned id, const char* what, const void* site);
void grid_complete(const Launch& launch);

// A kernel uses a texture at `site`, a return address; `frame` is the frame of the function that
// returns to `site`. Surface accesses are loads and stores, which the instrumentation reports.
void texture_read(const TextureRead& read, const void* site, const void* frame);
// The running thread starts an asynchronous copy to shared memory at `site`; later the copied bytes
// are about to be written, because the thread waits for the copy.
void copy_begins(void* to, size_t bytes, const void* site, const void* frame);
void copy_ends(void* to, size_t bytes, const void* site);
// A bulk copy between global and shared memory, whose bytes another thread of the block may write;
// and the running thread, which started the copy, may write the source again.
void bulk_copy_begins(void* to, const void* from, size_t bytes, const void* site,
                      const void* frame);
void bulk_copy_ends(void* to, size_t bytes, const void* site);
void bulk_source_read(const void* from, size_t bytes, const void* site);

// A fault at `address`, in a kernel or on the host; called by a signal handler. Returns true if the
// observer has made the page usable, so that the instruction at `pc` can run again.
bool repair_fault(const void* address, bool write, const void* pc);

// ---- host ------------------------------------------------------------------------------------
void allocated(void* base, size_t bytes, Memory memory, const char* function);
void freed(void* base, size_t bytes, Memory memory, const char* function);
// Host memory that the program had allocated before.
void registered(void* base, size_t bytes);
void unregistered(void* base, size_t bytes);
// A call that frees nothing: freed before (`twice`), or not the start of an allocation.
void bad_free(const void* pointer, bool twice, const char* function);
// A refused call, since the memory at `pointer` is too small, freed or none (or, if `wrong_side`,
// host memory instead of device memory or the other way round); `sentence` says why.
void bad_range(const void* pointer, bool wrong_side, const char* sentence);
// Live device memory is about to be freed when its turn comes in a stream.
void freeing_in_stream(void* base, size_t bytes, const char* function, cudaStream_t stream);
void transferring(const Transfer& transfer);
void prefetched(const void* base, size_t bytes, bool to_host, cudaStream_t stream);

void stream_created(cudaStream_t stream, bool non_blocking);
void stream_destroyed(cudaStream_t stream);
// The host has waited for all work in `stream`, or, for device_synchronized, in all streams.
void stream_synchronized(cudaStream_t stream);
void device_synchronized();
// cudaFree has waited for all work, as on a GPU.
void free_waited();
void event_recorded(cudaEvent_t event, cudaStream_t stream);
void event_synchronized(cudaEvent_t event);
// The host asks for the time between two events.
void events_timed(cudaEvent_t start, cudaEvent_t stop);
void event_destroyed(cudaEvent_t event);
// Later work in `stream` waits for the work that `event` recorded.
void stream_waits(cudaStream_t stream, cudaEvent_t event);
// A host function in a stream is about to run, and has run.
void host_function_begin(cudaStream_t stream);
void host_function_end(cudaStream_t stream);
void device_reset();
// The program is about to be ended, because its host code has taken `seconds`; `frames` are the
// host's call stack, innermost first.
void call_stopped(const void* const* frames, int count, double seconds);

#else

inline void launch_begin(const Launch&, void*) {}
inline void launch_end(const Launch&, int) {}
inline void block_begin(const Block&) {}
inline void block_resume(const Block&) {}
inline void block_end(const Block&) {}
inline void thread_begin(unsigned) {}
inline void thread_resume(unsigned) {}
inline void thread_end(unsigned) {}
inline void cluster_begin(const Cluster&) {}
inline void cluster_complete(const Cluster&) {}
inline void blocks_abandoned() {}
inline void barrier_arrive(unsigned, const char*, const void*) {}
inline void barrier_complete(const Block&) {}
inline void warp_arrive(unsigned, unsigned, const char*, const void*) {}
inline void warp_complete(const Block&, unsigned, unsigned, unsigned) {}
inline void active_mask(const Block&, unsigned, unsigned) {}
inline void named_arrive(const void*) {}
inline void named_pass(const void*) {}
inline void grid_arrive(unsigned, const char*, const void*) {}
inline void grid_complete(const Launch&) {}
inline void texture_read(const TextureRead&, const void*, const void*) {}
inline void copy_begins(void*, size_t, const void*, const void*) {}
inline void copy_ends(void*, size_t, const void*) {}
inline void bulk_copy_begins(void*, const void*, size_t, const void*, const void*) {}
inline void bulk_copy_ends(void*, size_t, const void*) {}
inline void bulk_source_read(const void*, size_t, const void*) {}
inline bool repair_fault(const void*, bool, const void*) {
  return false;
}
inline void allocated(void*, size_t, Memory, const char*) {}
inline void freed(void*, size_t, Memory, const char*) {}
inline void registered(void*, size_t) {}
inline void unregistered(void*, size_t) {}
inline void bad_free(const void*, bool, const char*) {}
inline void bad_range(const void*, bool, const char*) {}
inline void freeing_in_stream(void*, size_t, const char*, cudaStream_t) {}
inline void transferring(const Transfer&) {}
inline void prefetched(const void*, size_t, bool, cudaStream_t) {}
inline void stream_created(cudaStream_t, bool) {}
inline void stream_destroyed(cudaStream_t) {}
inline void stream_synchronized(cudaStream_t) {}
inline void device_synchronized() {}
inline void free_waited() {}
inline void event_recorded(cudaEvent_t, cudaStream_t) {}
inline void event_synchronized(cudaEvent_t) {}
inline void events_timed(cudaEvent_t, cudaEvent_t) {}
inline void event_destroyed(cudaEvent_t) {}
inline void stream_waits(cudaStream_t, cudaEvent_t) {}
inline void host_function_begin(cudaStream_t) {}
inline void host_function_end(cudaStream_t) {}
inline void device_reset() {}
inline void call_stopped(const void* const*, int, double) {}

#endif

}  // namespace observe
}  // namespace cudacpu
