// make_char1 … make_double4: one function per vector type.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define CUDACPU_MAKE(name, T)                                             \
  CUDACPU_HOST_DEVICE inline name##1 make_##name##1(T x) {                \
    return {x};                                                           \
  }                                                                       \
  CUDACPU_HOST_DEVICE inline name##2 make_##name##2(T x, T y) {           \
    return {x, y};                                                        \
  }                                                                       \
  CUDACPU_HOST_DEVICE inline name##3 make_##name##3(T x, T y, T z) {      \
    return {x, y, z};                                                     \
  }                                                                       \
  CUDACPU_HOST_DEVICE inline name##4 make_##name##4(T x, T y, T z, T w) { \
    return {x, y, z, w};                                                  \
  }

CUDACPU_MAKE(char, signed char)
CUDACPU_MAKE(uchar, unsigned char)
CUDACPU_MAKE(short, short)
CUDACPU_MAKE(ushort, unsigned short)
CUDACPU_MAKE(int, int)
CUDACPU_MAKE(uint, unsigned int)
CUDACPU_MAKE(long, long int)
CUDACPU_MAKE(ulong, unsigned long int)
CUDACPU_MAKE(longlong, long long int)
CUDACPU_MAKE(ulonglong, unsigned long long int)
CUDACPU_MAKE(float, float)
CUDACPU_MAKE(double, double)
#undef CUDACPU_MAKE

#define CUDACPU_MAKE_ALIGNED(name, T)                                             \
  CUDACPU_HOST_DEVICE inline name##4_16a make_##name##4_16a(T x, T y, T z, T w) { \
    return {x, y, z, w};                                                          \
  }                                                                               \
  CUDACPU_HOST_DEVICE inline name##4_32a make_##name##4_32a(T x, T y, T z, T w) { \
    return {x, y, z, w};                                                          \
  }

CUDACPU_MAKE_ALIGNED(long, long int)
CUDACPU_MAKE_ALIGNED(ulong, unsigned long int)
CUDACPU_MAKE_ALIGNED(longlong, long long int)
CUDACPU_MAKE_ALIGNED(ulonglong, unsigned long long int)
CUDACPU_MAKE_ALIGNED(double, double)
#undef CUDACPU_MAKE_ALIGNED

#endif
