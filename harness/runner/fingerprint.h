// Tells whether a piece of memory has changed, without a copy of it.
#pragma once

#include <cstdint>

#include "problem.h"

// A number that any change of the bytes or of their order changes, but for one chance in 2^64.
// Device or host memory, from an address that is a multiple of 4. Throws CudaError.
uint64_t fingerprint(const Region& region);
