// What all allocating functions of the API have in common.
#pragma once

#include <cstddef>

#include "memory/arena.h"

namespace cudacpu {

// Puts the address of an allocation into *pointer (null for no bytes); explains what fails.
cudaError_t allocate_to(void** pointer, size_t bytes, MemoryKind kind, const char* function);

}  // namespace cudacpu
