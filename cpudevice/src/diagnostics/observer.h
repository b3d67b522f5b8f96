// What the diagnostic modes see of a program, apart from its memory accesses (those come from the
// compiler's own instrumentation). The scheduler and the host API call these functions; in run mode
// they are empty and cost nothing, in the other modes src/sanitize or src/profile implements every
// one of them.
//
// Both modes run all blocks on one worker, on the OS thread that launches, so an observer needs no
// locks for what it hears from a kernel. Host functions may be called by several threads: what is
// under "host" locks for itself.
#pragma once

#include "cuda_runtime_api.h"
#include "cudacpu/runtime.h"

namespace cudacpu {

struct Launch;
struct Block;

namespace observe {

// How memory came about: the names in reports ("cudaMalloc") are literals of the API functions.
enum class Memory { kDevice, kManaged, kPinned, kDeviceHeap };

// A copy or fill as the host asked for it, before it is carried out. Rows of `width` bytes,
// `height` of them, `depth` slices; the distances are in bytes. A fill has no source, and what a
// library's function reads no destination.
struct Transfer {
  const char* function;  // "cudaMemcpyAsync"
  void* destination;
  const void* source;
  size_t width, height, depth;
  size_t destination_pitch, destination_slice, source_pitch, source_slice;
  cudaStream_t stream;  // null for the default stream
  bool async;           // the call may return before it is done
};

// What a texture fetch of a kernel is about to read: the elements from `first` to `second` of each
// dimension, the two alike where it is not filtered.
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
// launch.body.closure; then ends, with a cudaError_t: if it failed, launch.failure says how.
void launch_begin(const Launch& launch, void* stream);
void launch_end(const Launch& launch, int error);
// A block starts: it is the running one and its shared memory is fresh. It runs again after another
// of the same worker did. All its threads have returned.
void block_begin(const Block& block);
void block_resume(const Block& block);
void block_end(const Block& block);
// The thread with this number in its block is about to execute its first instruction; goes on after
// it waited; has returned. Between two of these calls all accesses come from the thread named last.
void thread_begin(unsigned id);
void thread_resume(unsigned id);
void thread_end(unsigned id);
// The running thread has failed or was stopped, and with it the blocks of its worker: none of their
// threads goes on. The launch has not ended yet.
void blocks_abandoned();

// A thread comes to the block's barrier (`site`: the return address, in the student's code); the
// barrier opens, and `arrived` has the threads that waited in it.
void barrier_arrive(unsigned id, const char* what, const void* site);
void barrier_complete(const Block& block);
// A thread comes to a meeting of the lanes in `mask`; those in `arrived` go on together.
void warp_arrive(unsigned id, unsigned mask, const char* what, const void* site);
void warp_complete(const Block& block, unsigned warp, unsigned mask, unsigned arrived);
// A thread asks for the active mask, and the lanes that get the same answer.
void active_mask(const Block& block, unsigned warp, unsigned lanes);
// A thread comes to the grid's barrier; it opens for all blocks of the launch.
void grid_arrive(unsigned id, const char* what, const void* site);
void grid_complete(const Launch& launch);

// A texture is used, at `site`, a return address; `frame` is that of the function which will return
// there. Surface accesses are loads and stores, which the instrumentation sees.
void texture_read(const TextureRead& read, const void* site, const void* frame);
// The running thread starts an asynchronous copy to shared memory at `site`; and what it copies is
// about to be written, as it waits for it.
void copy_begins(void* to, size_t bytes, const void* site, const void* frame);
void copy_ends(void* to, size_t bytes, const void* site);

// A fault at `address`, in a kernel or on the host, from a signal handler. True: the observer has
// made the page usable, and the instruction at `pc` can run again.
bool repair_fault(const void* address, bool write, const void* pc);

// ---- host ------------------------------------------------------------------------------------
void allocated(void* base, size_t bytes, Memory memory, const char* function);
void freed(void* base, size_t bytes, Memory memory, const char* function);
// Memory of the host that was the program's already.
void registered(void* base, size_t bytes);
void unregistered(void* base, size_t bytes);
// A call that frees nothing: freed before (`twice`), or not the start of an allocation.
void bad_free(const void* pointer, bool twice, const char* function);
void transferring(const Transfer& transfer);
void prefetched(const void* base, size_t bytes, bool to_host, cudaStream_t stream);

void stream_created(cudaStream_t stream, bool non_blocking);
void stream_destroyed(cudaStream_t stream);
// The host has waited for all that was in `stream`, or, after device_synchronized, in all streams.
void stream_synchronized(cudaStream_t stream);
void device_synchronized();
void event_recorded(cudaEvent_t event, cudaStream_t stream);
void event_synchronized(cudaEvent_t event);
void event_destroyed(cudaEvent_t event);
// What comes into `stream` later waits for what `event` recorded.
void stream_waits(cudaStream_t stream, cudaEvent_t event);
// A host function in a stream is about to run, and has run.
void host_function_begin(cudaStream_t stream);
void host_function_end(cudaStream_t stream);
void device_reset();
// The program is about to be ended, since its host code has taken `seconds`; the addresses of where
// it is, innermost first.
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
inline void blocks_abandoned() {}
inline void barrier_arrive(unsigned, const char*, const void*) {}
inline void barrier_complete(const Block&) {}
inline void warp_arrive(unsigned, unsigned, const char*, const void*) {}
inline void warp_complete(const Block&, unsigned, unsigned, unsigned) {}
inline void active_mask(const Block&, unsigned, unsigned) {}
inline void grid_arrive(unsigned, const char*, const void*) {}
inline void grid_complete(const Launch&) {}
inline void texture_read(const TextureRead&, const void*, const void*) {}
inline void copy_begins(void*, size_t, const void*, const void*) {}
inline void copy_ends(void*, size_t, const void*) {}
inline bool repair_fault(const void*, bool, const void*) {
  return false;
}
inline void allocated(void*, size_t, Memory, const char*) {}
inline void freed(void*, size_t, Memory, const char*) {}
inline void registered(void*, size_t) {}
inline void unregistered(void*, size_t) {}
inline void bad_free(const void*, bool, const char*) {}
inline void transferring(const Transfer&) {}
inline void prefetched(const void*, size_t, bool, cudaStream_t) {}
inline void stream_created(cudaStream_t, bool) {}
inline void stream_destroyed(cudaStream_t) {}
inline void stream_synchronized(cudaStream_t) {}
inline void device_synchronized() {}
inline void event_recorded(cudaEvent_t, cudaStream_t) {}
inline void event_synchronized(cudaEvent_t) {}
inline void event_destroyed(cudaEvent_t) {}
inline void stream_waits(cudaStream_t, cudaEvent_t) {}
inline void host_function_begin(cudaStream_t) {}
inline void host_function_end(cudaStream_t) {}
inline void device_reset() {}
inline void call_stopped(const void* const*, int, double) {}

#endif

}  // namespace observe
}  // namespace cudacpu
