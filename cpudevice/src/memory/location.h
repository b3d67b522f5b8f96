// Where an address points: host memory (pageable, pinned or registered), device memory, managed
// memory, variables. Keeps the list of the host memory that the program registered.
#pragma once

#include <cstddef>
#include <vector>

#include "cuda_runtime_api.h"
#include "memory/arena.h"

namespace cudacpu {

enum class Place { kPageable, kPinned, kManaged, kDevice, kVariable, kNowhere };

// What is known about the bytes at `pointer`. kNowhere means in the arena, but in no live
// allocation.
struct Location {
  Place place;
  const char* base;  // of the allocation, variable or registered range; null if pageable
  size_t bytes;
  const char* kind;  // the function that allocated the bytes
  int device = 0;    // the current device at the time of the allocation
};
Location locate(const void* pointer);

// Host memory that the program registered, by address.
std::vector<MemoryRange> registered_memory();
cudaError_t register_host_memory(void* pointer, size_t bytes);
cudaError_t unregister_host_memory(void* pointer);
void unregister_all_host_memory();

// Whether the device, or the host, can use all of [pointer, pointer + bytes). If not, explains why:
// `role` is a word such as "destination".
enum class Side { kHost, kDevice, kEither };
bool check_range(const char* function, const char* role, const void* pointer, size_t bytes,
                 Side side);

}  // namespace cudacpu
