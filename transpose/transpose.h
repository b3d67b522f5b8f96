// The contract of this assignment.
#pragma once

// output[c][r] = input[r][c]: writes the transpose of a rows x cols matrix.
//
// input   device pointer to rows * cols floats, one row behind the other (row-major); not modified
// rows    >= 0; rows * cols may exceed the range of int, and either of the two may be 1
// cols    >= 0
// output  device pointer to cols * rows floats, row-major: cols rows of rows elements
//
// The caller owns both matrices. They do not overlap, and both begin on a 16-byte boundary, as all
// memory from cudaMalloc does; rows inside them begin anywhere. The function may return before the
// device has finished. With no element it does nothing. Throws CudaError when a launch fails.
void transpose(const float* input, int rows, int cols, float* output);
