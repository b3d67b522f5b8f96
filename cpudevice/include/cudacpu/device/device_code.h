// Everything that only device code may call.
#pragma once

#include "atomics.h"
#include "integers.h"
#include "memory_access.h"
#include "ptx/instructions.h"
#include "rounding.h"
#include "simd.h"
#include "synchronization.h"
#include "textures/surface.h"
#include "textures/texture.h"
#include "warp.h"

// A kernel may rely on the value, but for nvcc and the check warpSize is no constant expression.
#if CUDACPU_CHECKING
extern const CUDACPU_DEVICE int warpSize;
#else
constexpr int warpSize = kCudacpuWarpSize;
#endif

#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif
#define __assume(condition) __builtin_assume(condition)
