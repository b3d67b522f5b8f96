// What the files of the host API share: errors, and what is known about an address. Internal to the
// run-time library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda_runtime_api.h"
#include "cudacpu/runtime.h"

namespace cudacpu {

// ---- errors (error.cpp)
// -----------------------------------------------------------------------------------------

// Tells on stderr, in one sentence, why a call is about to fail: the program itself gets only a
// number. Each process has a limited number of sentences, so that a failing loop does not flood.
__attribute__((format(printf, 1, 2))) void explain(const char* format, ...);

// The text without the addresses that differ from run to run: those of the host.
std::string repeatable(std::string text);

// Runs one API function: not at all while there is a sticky error; what it returns becomes the last
// error.
template <typename Function>
cudaError_t api(Function function) {
  if (int sticky = sticky_error()) return static_cast<cudaError_t>(sticky);
  NoPreemption guard;
  const cudaError_t error = function();
  if (error != cudaSuccess) set_last_error(error);
  return error;
}

// ---- memory (arena.cpp, location.cpp)
// ---------------------------------------------------------------------------

enum class MemoryKind { kDevice, kManaged, kPinned };

// Null if `bytes` is more than is left of the simulated memory. `function` names the allocation in
// reports; it must be a literal. `bytes` is not 0.
void* allocate(size_t bytes, MemoryKind kind, const char* function);
// Frees what allocate() returned, if it is of one of the kinds the function is for (pinned or not).
cudaError_t release(void* pointer, bool pinned, const char* function);
// Frees everything: cudaDeviceReset.
void release_all();
// All addresses that allocations may have.
void arena_range(const char** base, size_t* bytes);
// The live allocation that holds `address`, or ends there; false if there is none.
bool find_live_allocation(const void* address, Allocation* out, MemoryKind* kind);
size_t total_memory();
size_t memory_in_use();

struct MemoryRange {
  uintptr_t begin, end;
};
// What lies in the host's memory and kernels can reach: pinned allocations, by address.
std::vector<MemoryRange> pinned_memory();

enum class Place { kPageable, kPinned, kManaged, kDevice, kVariable, kNowhere };

// What is known about the bytes at `pointer`. kNowhere: in the arena, but in no live allocation.
struct Location {
  Place place;
  const char* base;  // of the allocation, variable or registered range; null if pageable
  size_t bytes;
  const char* kind;  // how it was allocated
};
Location locate(const void* pointer);

// Host memory that the program registered, by address.
std::vector<MemoryRange> registered_memory();
cudaError_t register_host_memory(void* pointer, size_t bytes);
cudaError_t unregister_host_memory(void* pointer);
void unregister_all_host_memory();

// Can the device, or the host, use all of [pointer, pointer + bytes)? If not, says why: `role` is
// "destination".
enum class Side { kHost, kDevice, kEither };
bool check_range(const char* function, const char* role, const void* pointer, size_t bytes,
                 Side side);

// ---- streams (stream.cpp)
// ---------------------------------------------------------------------------------------

// cudaSuccess if `stream` is one that exists.
cudaError_t check_stream(cudaStream_t stream, const char* function);
void destroy_all_streams_and_events();

// ---- arrays, textures, surfaces (array.cpp, texture.cpp, surface.cpp)
void forget_all_arrays();
void destroy_all_textures();
void destroy_all_surfaces();

}  // namespace cudacpu
