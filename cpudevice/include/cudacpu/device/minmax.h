// min and max with CUDA's exact overloads, so that calls that nvcc finds ambiguous, such as
// max(1.5f, 2), are ambiguous too.
#pragma once

#include "../attributes.h"

#define CUDACPU_MIN_MAX(R, A, B)                           \
  CUDACPU_HOST_DEVICE inline R min(const A x, const B y) { \
    const R a = x, b = y;                                  \
    return b < a ? b : a;                                  \
  }                                                        \
  CUDACPU_HOST_DEVICE inline R max(const A x, const B y) { \
    const R a = x, b = y;                                  \
    return a < b ? b : a;                                  \
  }

#define CUDACPU_MIN_MAX_INTEGERS(S, U) \
  CUDACPU_MIN_MAX(S, S, S)             \
  CUDACPU_MIN_MAX(U, U, U)             \
  CUDACPU_MIN_MAX(U, S, U)             \
  CUDACPU_MIN_MAX(U, U, S)

CUDACPU_MIN_MAX_INTEGERS(int, unsigned int)
CUDACPU_MIN_MAX_INTEGERS(long int, unsigned long int)
CUDACPU_MIN_MAX_INTEGERS(long long int, unsigned long long int)
#undef CUDACPU_MIN_MAX_INTEGERS
#undef CUDACPU_MIN_MAX

// Like fminf and fmaxf: of a number and a NaN the functions return the number.
#define CUDACPU_MIN_MAX_FLOATS(R, A, B)                    \
  CUDACPU_HOST_DEVICE inline R min(const A x, const B y) { \
    const R a = x, b = y;                                  \
    return a < b || b != b ? a : b;                        \
  }                                                        \
  CUDACPU_HOST_DEVICE inline R max(const A x, const B y) { \
    const R a = x, b = y;                                  \
    return a > b || b != b ? a : b;                        \
  }

CUDACPU_MIN_MAX_FLOATS(float, float, float)
CUDACPU_MIN_MAX_FLOATS(double, double, double)
CUDACPU_MIN_MAX_FLOATS(double, float, double)
CUDACPU_MIN_MAX_FLOATS(double, double, float)
#undef CUDACPU_MIN_MAX_FLOATS

// The same with the type in the name.
#define CUDACPU_NAMED_MIN_MAX(prefix, T)               \
  CUDACPU_HOST_DEVICE inline T prefix##min(T a, T b) { \
    return min(a, b);                                  \
  }                                                    \
  CUDACPU_HOST_DEVICE inline T prefix##max(T a, T b) { \
    return max(a, b);                                  \
  }
CUDACPU_NAMED_MIN_MAX(u, unsigned int)
CUDACPU_NAMED_MIN_MAX(ll, long long int)
CUDACPU_NAMED_MIN_MAX(ull, unsigned long long int)
#undef CUDACPU_NAMED_MIN_MAX
