// The contracts of the two parts. "saxpy" is the BLAS name: Single-precision A times X Plus Y.
#pragma once

// Part saxpy: result[i] = scale * x[i] + y[i] for 0 <= i < n, on device memory.
//
// x, y and result point to n floats each in device memory; the arrays belong to the caller, do not
// overlap, and are aligned for float, which is 4 bytes, and for nothing wider. Any n >= 0. The
// multiplication and the addition may be fused into a single rounding. The work is queued in the
// default stream and need not have ended on return. Throws CudaError (through CUDA_CHECK).
void saxpy(int n, float scale, const float* x, const float* y, float* result);

// Part saxpy_host: the same on host memory.
//
// x, y and result point to n floats each in ordinary, pageable host memory; otherwise as above. The
// function allocates and frees what the device needs, and the time counts. The function may keep
// buffers between calls, but neither values of the arguments nor pointers among the arguments. On
// return the result is complete. Never called from two threads at a time.
void saxpy_host(int n, float scale, const float* x, const float* y, float* result);
