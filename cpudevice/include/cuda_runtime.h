// CUDA for a CPU: everything that nvcc makes known to every .cu file. cudacc includes the header
// before the first line of the student's file.
//
// A plain .cpp file that includes the header sees the host API, the vector types and the qualifiers
// as nothing, but no function that only a kernel may call.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#ifdef __cplusplus

#include "cudacpu/standard.h"  // before any other header, see there

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "cudacpu/kernel_api.h"
#include "cudacpu/memory_api.h"
#include "cudacpu/symbol_api.h"
#include "vector_functions.h"

#ifdef __CUDACC__
#include "cudacpu/device/device_code.h"
#include "cudacpu/device/math.h"
#include "cudacpu/device/minmax.h"
#endif

// Removes the macros of cudacpu/memory_functions.h.
#undef __builtin_memcpy
#undef __builtin_memmove
#undef __builtin_memset
#undef __builtin_memcmp

#else
#include "cuda_runtime_api.h"
#endif

#endif
