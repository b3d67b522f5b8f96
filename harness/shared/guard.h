// Poison and guard bands, which reveal unwritten outputs and writes past an end.
#pragma once

#include <cstddef>

// Outputs hold the poison byte before each call: a NaN as float or double, -1 as int.
constexpr unsigned char kPoison = 0xFF;
// Poisoned bytes before and behind each output. 256 keeps cudaMalloc's alignment.
constexpr size_t kGuardBytes = 256;

#ifdef __CUDACPU_SANITIZE__
// Calls of the CPU device's sanitize mode: a kernel may use only the given array of the allocation
// around the array; the given bytes count as never written, whatever their value.
extern "C" void cudacpu_sanitize_array(void* data, size_t bytes);
extern "C" void cudacpu_sanitize_unwritten(void* data, size_t bytes);
#endif

// To be called after an output was poisoned: for sanitize, the guard bands stop being memory and
// the elements become uninitialised.
inline void hide_poison([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes) {
#ifdef __CUDACPU_SANITIZE__
  cudacpu_sanitize_array(data, bytes);
  cudacpu_sanitize_unwritten(data, bytes);
#endif
}
