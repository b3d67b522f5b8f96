// The parts of the standard library that every .cu file may use without an #include, and the
// functions that a kernel may call.
#pragma once

#include <cstddef>

#include "../host_defines.h"

#if CUDACPU_DIAGNOSTICS && !CUDACPU_CHECKING && !CUDACPU_RUNTIME && defined(__GLIBCXX__)
// The diagnostic modes only report code compiled with the program, so no template that the C++
// library has compiled already (strings, streams) is called. The library's header of settings,
// which <cstddef> has included, does not accept _GLIBCXX_EXTERN_TEMPLATE from the command line.
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif
#include "memory_functions.h"  // before any use

#if CUDACPU_CHECKING
// Clang replaces <new> by a header in which the device's operators new and delete call malloc() and
// free().
CUDACPU_DEVICE void* malloc(size_t bytes);
CUDACPU_DEVICE void free(void* pointer);
#endif

#include <cassert>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#if CUDACPU_CHECKING
// Everything that <cmath> includes comes first, so that only the mathematical functions themselves
// are opened to kernels below. (libstdc++'s <cmath> needs the algorithms of <array>.)
#include <array>
#endif

#if CUDACPU_CHECKING
#pragma clang force_cuda_host_device begin
#endif
#include <math.h>

#include <cmath>
#if CUDACPU_CHECKING
#pragma clang force_cuda_host_device end

// The few other functions of the C library that CUDA offers on the device. Outside the check the
// library's own functions serve.
template <typename... Arguments>
CUDACPU_DEVICE int printf(const char* format, Arguments... arguments);
CUDACPU_DEVICE void* memcpy(void* destination, const void* source, size_t bytes);
CUDACPU_DEVICE void* memmove(void* destination, const void* source, size_t bytes);
CUDACPU_DEVICE void* memset(void* pointer, int value, size_t bytes);
CUDACPU_DEVICE int memcmp(const void* a, const void* b, size_t bytes);
CUDACPU_DEVICE size_t strlen(const char* text);
CUDACPU_DEVICE int strcmp(const char* a, const char* b);
CUDACPU_DEVICE char* strcpy(char* destination, const char* source);
CUDACPU_DEVICE clock_t clock();
CUDACPU_DEVICE int abs(int x);
CUDACPU_DEVICE long labs(long x);
CUDACPU_DEVICE long long llabs(long long x);
CUDACPU_DEVICE void __assert_fail(const char* expression, const char* file, unsigned int line,
                                  const char* function);
namespace std {
using ::abs;
using ::labs;
using ::llabs;
CUDACPU_DEVICE inline long abs(long x) {
  return ::labs(x);
}
CUDACPU_DEVICE inline long long abs(long long x) {
  return ::llabs(x);
}
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
}  // namespace std
using std::abs;  // as <stdlib.h> of libstdc++ does, which may come later
#endif
