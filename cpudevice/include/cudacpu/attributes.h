// Macros with which the CPU device's own headers say where a function may run.
//
// g++ and the translator have a single kind of function, so both macros expand to nothing. Under
// `clang++ -x cuda`, which cudacc runs only to check which function may call which, the macros
// become Clang's attributes: the check rejects a kernel that calls a host function and accepts a
// kernel that calls a function of the headers.
#pragma once

// cudacc sets the macro to 1 for --sanitize and --profile.
#ifndef CUDACPU_DIAGNOSTICS
#define CUDACPU_DIAGNOSTICS 0
#endif

// For functions of the library that do not touch the program's memory: the diagnostic modes do not
// instrument the functions, so calls stay calls.
#if CUDACPU_DIAGNOSTICS && !defined(__CUDA__)
#define CUDACPU_UNINSTRUMENTED \
  __attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage))
#else
#define CUDACPU_UNINSTRUMENTED
#endif

// For functions whose instructions no profile should count, although sanitize instruments them.
#if defined(__CUDACPU_PROFILE__)
#define CUDACPU_UNSEEN CUDACPU_UNINSTRUMENTED
#else
#define CUDACPU_UNSEEN
#endif

// For functions whose accesses belong to the calling line: a call would hide the line from the
// diagnostic modes.
#define CUDACPU_INLINED inline __attribute__((always_inline))

#ifdef __CUDA__
#define CUDACPU_CHECKING 1
#ifndef __CUDACC__
#define __CUDACC__
#endif
#define CUDACPU_DEVICE __attribute__((device))
#define CUDACPU_HOST_DEVICE __attribute__((host)) __attribute__((device))
#else
#define CUDACPU_CHECKING 0
#define CUDACPU_DEVICE
#define CUDACPU_HOST_DEVICE
#endif
