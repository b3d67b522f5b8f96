// The contracts of the assignment, a contract per part.
#pragma once

#include <cuda_bf16.h>

// Part sgemm: C = A B in fp32, without tensor cores.
//
// m, n, k  >= 0
// a        device pointer to the m x k matrix A, row-major: element (i, l) is a[i * k + l]; not
//          modified
// b        device pointer to the k x n matrix B, row-major; not modified
// c        device pointer to the m x n matrix C, row-major; every element is written
//
// The caller owns the arrays. Arrays do not overlap, and each begins on a 16-byte boundary. Rows
// have no gap in between: the second row begins on a 16-byte boundary only where its length is a
// multiple of 4. Products of two of m, n and k may exceed 2^31.
//
// Element (i, j) is the sum over l of A(i, l) B(l, j), in any order, with products and sums in
// fp32: a result may differ from the exact sum by k * 2^-23 * (the sum of |A(i, l) B(l, j)|). The
// sum of no products, where k is 0, is 0. Lesser precisions, like TF32, miss the bound. The
// function may return before the device has finished. Throws CudaError when a launch fails.
void sgemm(int m, int n, int k, const float* a, const float* b, float* c);

// Part tensor: C = A B with factors in bf16 and sums in fp32, on tensor cores.
//
// m, n, k  >= 0
// a        device pointer to the m x k matrix A, row-major; not modified
// b        device pointer to the k x n matrix B, row-major; not modified
// c        device pointer to the m x n matrix C in fp32, row-major; every element is written
//
// Arrays lie as those of sgemm do. The second row of A or B begins on a 16-byte boundary only where
// its length is a multiple of 8.
//
// The product of two bf16 numbers is exact in fp32. Element (i, j) is the sum of the products in
// any order, in fp32: it may differ from the exact sum by k * 2^-23 * (the sum of |A(i, l) B(l,
// j)|). Sums that are rounded to bf16, or to fp16, miss the bound. The function may return
// before the device has finished. Throws CudaError when a launch fails.
void tensor(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c);
