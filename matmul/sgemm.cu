// sgemm: C = A B in fp32, without tensor cores. Yours to edit.
//
// The contract is in matmul.h, the explanation in README.md.
//   make check-matmul PART=sgemm                             grades it
//   make build/cpu/matmul/sgemm && build/cpu/matmul/sgemm --m 100 --n 33 --k 64   runs it once
#include "matmul.h"

#include "cuda_check.h"

// TODO(1): a kernel in which a thread computes an element of C, and its launch (about 15 lines).
void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {}
