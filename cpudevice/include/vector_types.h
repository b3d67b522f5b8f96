// CUDA's vector types (char1 … double4, dim3) with CUDA's sizes and alignments.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

// A vector of one or three components is aligned like its component, as in CUDA; a vector of two or
// four, as stated.
#define CUDACPU_VECTORS(name, T, align2, align4)    \
  struct name##1 {                                  \
    T x;                                            \
  };                                                \
  struct __attribute__((aligned(align2))) name##2 { \
    T x, y;                                         \
  };                                                \
  struct name##3 {                                  \
    T x, y, z;                                      \
  };                                                \
  struct __attribute__((aligned(align4))) name##4 { \
    T x, y, z, w;                                   \
  };                                                \
  typedef struct name##1 name##1;                   \
  typedef struct name##2 name##2;                   \
  typedef struct name##3 name##3;                   \
  typedef struct name##4 name##4;

CUDACPU_VECTORS(char, signed char, 2, 4)
CUDACPU_VECTORS(uchar, unsigned char, 2, 4)
CUDACPU_VECTORS(short, short, 4, 8)
CUDACPU_VECTORS(ushort, unsigned short, 4, 8)
CUDACPU_VECTORS(int, int, 8, 16)
CUDACPU_VECTORS(uint, unsigned int, 8, 16)
CUDACPU_VECTORS(long, long int, 16, 16)
CUDACPU_VECTORS(ulong, unsigned long int, 16, 16)
CUDACPU_VECTORS(longlong, long long int, 16, 16)
CUDACPU_VECTORS(ulonglong, unsigned long long int, 16, 16)
CUDACPU_VECTORS(float, float, 8, 16)
CUDACPU_VECTORS(double, double, 16, 16)
#undef CUDACPU_VECTORS

// CUDA 13 names the alignment of the four-component 8-byte types.
#define CUDACPU_ALIGNED_VECTORS(name, T)            \
  struct __attribute__((aligned(16))) name##4_16a { \
    T x, y, z, w;                                   \
  };                                                \
  struct __attribute__((aligned(32))) name##4_32a { \
    T x, y, z, w;                                   \
  };                                                \
  typedef struct name##4_16a name##4_16a;           \
  typedef struct name##4_32a name##4_32a;

CUDACPU_ALIGNED_VECTORS(long, long int)
CUDACPU_ALIGNED_VECTORS(ulong, unsigned long int)
CUDACPU_ALIGNED_VECTORS(longlong, long long int)
CUDACPU_ALIGNED_VECTORS(ulonglong, unsigned long long int)
CUDACPU_ALIGNED_VECTORS(double, double)
#undef CUDACPU_ALIGNED_VECTORS

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  CUDACPU_HOST_DEVICE constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  CUDACPU_HOST_DEVICE constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  CUDACPU_HOST_DEVICE constexpr operator uint3() const {
    return uint3{x, y, z};
  }
#endif
};
typedef struct dim3 dim3;

#endif
