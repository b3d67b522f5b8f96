// The runtime API's errors: the last error, names and texts.
#include "base/error.h"

#include "cuda_runtime_api.h"

using namespace cudacpu;

cudaError_t cudaPeekAtLastError() {
  const int sticky = sticky_error();
  return static_cast<cudaError_t>(sticky ? sticky : last_error());
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = cudaPeekAtLastError();
  set_last_error(cudaSuccess);
  return error;
}

const char* cudaGetErrorName(cudaError_t error) {
  return error_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
  return error_text(error);
}
