#include "cublas/call.h"

#include "common/core.h"

namespace cudacpu::blas {
namespace {

Handles<cublasContext>& handles() {
  static auto* handles = new Handles<cublasContext>;
  return *handles;
}

}  // namespace

cublasHandle_t open_handle() {
  return handles().add({nullptr, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH});
}

bool close_handle(cublasHandle_t handle) {
  return handles().remove(handle);
}

bool is_open(cublasHandle_t handle) {
  return handle && handles().has(handle);
}

cublasStatus_t status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUBLAS_STATUS_SUCCESS;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidPitchValue:
      return CUBLAS_STATUS_INVALID_VALUE;
    default:
      return CUBLAS_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace cudacpu::blas
