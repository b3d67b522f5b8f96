// Detects a change of a piece of memory without a copy of the memory.
#pragma once

#include <cstdint>

#include "problem.h"

// A number that changes with any change of the bytes or of their order, except with probability
// 2^-64. For device or host memory at an address that is a multiple of 4. Throws CudaError.
uint64_t fingerprint(const Region& region);
