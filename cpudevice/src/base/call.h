// The steps of every function of the runtime API around its own work.
#pragma once

#include "base/error.h"
#include "cuda_runtime_api.h"
#include "cudacpu/runtime.h"

namespace cudacpu {

// Runs an API function, unless an error is sticky; the result becomes the last error.
template <typename Function>
cudaError_t api(Function function) {
  if (int sticky = sticky_error()) return static_cast<cudaError_t>(sticky);
  NoPreemption guard;
  const cudaError_t error = function();
  if (error != cudaSuccess) set_last_error(error);
  return error;
}

}  // namespace cudacpu
