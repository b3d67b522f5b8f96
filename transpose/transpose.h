// The contract of the assignment.
#pragma once

// output[c][r] = input[r][c]: writes the transpose of a rows x cols matrix.
//
// input   device pointer to rows * cols floats, row behind row (row-major); not modified
// rows    >= 0; rows * cols may exceed the range of int, and either may be 1
// cols    >= 0
// output  device pointer to cols * rows floats, row-major: cols rows of rows elements
//
// The caller owns both matrices, which do not overlap. Both begin on a 16-byte boundary, as all
// memory from cudaMalloc does; inner rows begin anywhere. The function may return before the device
// has finished, and does nothing without elements. Throws CudaError when a launch fails.
void transpose(const float* input, int rows, int cols, float* output);
