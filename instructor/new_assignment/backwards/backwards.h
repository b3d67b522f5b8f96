// The contract of this assignment.
#pragma once

// output[i] = input[n - 1 - i] for 0 <= i < n: the array from its end to its beginning.
//
// input   device pointer to n ints, on a 16-byte boundary; not modified
// n       >= 0
// output  device pointer to n ints, on a 16-byte boundary
//
// The caller owns both arrays, and they do not overlap. The function may return before the device
// has finished. With n = 0 it does nothing. Throws CudaError when a launch fails.
void backwards(const int* input, int n, int* output);
