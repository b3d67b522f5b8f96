// The function and variable qualifiers of CUDA C++.
//
// Three readers: the translator (a .cu file under g++ or clang++: the qualifiers stay in the text
// for the translator), the semantic check (`clang++ -x cuda`: Clang's attributes), and a plain .cpp
// file, for which most mean nothing.
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#include "cudacpu/attributes.h"

#if CUDACPU_CHECKING

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Clang knows managed variables for HIP only; for the check, managed variables are device variables
// that the host may touch.
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
// Empty rather than an attribute, so that libstdc++'s __attribute__((__noinline__)) stays valid.
#define __noinline__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))

#elif !defined(__CUDACC__)

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))

#endif

#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB

#endif
