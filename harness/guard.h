// Poison and guard bands: how unwritten outputs and writes past an end are found.
#pragma once

#include <cstddef>

// Outputs hold this byte before each call: a NaN as float or double, -1 as int.
constexpr unsigned char kPoison = 0xFF;
// Poisoned bytes before and behind each output. 256 keeps cudaMalloc's alignment.
constexpr size_t kGuardBytes = 256;
