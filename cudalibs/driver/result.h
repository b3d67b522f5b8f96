// How the driver API's errors and addresses become the runtime's.
#pragma once

#include <cstdint>

#include "cuda.h"

namespace cudacpu {

// The errors have the same numbers.
inline CUresult result(cudaError_t error) {
  return static_cast<CUresult>(error);
}

template <typename T>
T* pointer_to(CUdeviceptr address) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(address));
}

}  // namespace cudacpu
