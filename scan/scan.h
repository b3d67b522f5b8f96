// The contracts of the two parts.
#pragma once

#include <cstddef>

#include "workspace.h"

// Part exclusive_scan: result[i] = input[0] + input[1] + ... + input[i - 1] for 0 <= i < n, with
// result[0] = 0: the exclusive prefix sum.
//
// input      device pointer to n ints; not modified
// n          any n >= 0, up to 2^31 - 1; not only powers of two
// result     device pointer to room for n ints, none beyond
// workspace  scratch memory on the device, workspace_bytes(n) bytes
//
// Sums wrap around modulo 2^32: add unsigned numbers, since the overflow of an int is undefined.
// The caller owns both arrays. The arrays do not overlap, and both are aligned for int, which is 4
// bytes, and for nothing wider. The work is queued in the default stream and need not have ended on
// return. Nothing may be kept from one call to the next. Throws CudaError (through CUDA_CHECK).
void exclusive_scan(const int* input, int n, int* result, Workspace& workspace);

// Part find_repeats: writes all i with input[i] == input[i + 1], 0 <= i < n - 1, to output in
// ascending order, and returns the number of repeats.
//
// input      device pointer to n ints; not modified
// output     device pointer to room for n ints; the rest may be used as well
//
// Otherwise as above. The count is known on return, so the call waits for the device. A few bytes
// of pinned host memory may be kept between calls, for reading the count back.
int find_repeats(const int* input, int n, int* output, Workspace& workspace);

// The size of the workspace: room for four arrays of n ints, and 1 MB besides. The contents are
// arbitrary.
constexpr size_t workspace_bytes(int n) {
  return 4 * sizeof(int) * static_cast<size_t>(n) + (size_t{1} << 20);
}
