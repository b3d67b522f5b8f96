// Poison and guard bands: they reveal unwritten outputs and writes past an end.
#pragma once

#include <cstddef>

// Outputs hold this byte before each call: a NaN as float or double, -1 as int.
constexpr unsigned char kPoison = 0xFF;
// Poisoned bytes before and behind each output. 256 keeps cudaMalloc's alignment.
constexpr size_t kGuardBytes = 256;

#ifdef __CUDACPU_SANITIZE__
// Calls of the CPU device's sanitize mode: a kernel may use only this array of the allocation
// around it, and these bytes count as never written, whatever they hold.
extern "C" void cudacpu_sanitize_array(void* data, size_t bytes);
extern "C" void cudacpu_sanitize_unwritten(void* data, size_t bytes);
#endif

// After an output was poisoned: to sanitize, its guard bands are not memory and its elements are
// uninitialised.
inline void hide_poison([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes) {
#ifdef __CUDACPU_SANITIZE__
  cudacpu_sanitize_array(data, bytes);
  cudacpu_sanitize_unwritten(data, bytes);
#endif
}
