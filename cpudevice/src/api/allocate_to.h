// The common part of all allocating functions of the API.
#pragma once

#include <cstddef>

#include "memory/arena.h"

namespace cudacpu {

// Writes the address of an allocation to *pointer (null for no bytes); explains a failure.
cudaError_t allocate_to(void** pointer, size_t bytes, MemoryKind kind, const char* function);

}  // namespace cudacpu
