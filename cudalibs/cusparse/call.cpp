#include "cusparse/call.h"

namespace cudacpu::sparse {

cusparseStatus_t status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUSPARSE_STATUS_SUCCESS;
    case cudaErrorInvalidValue:
      return CUSPARSE_STATUS_INVALID_VALUE;
    default:
      return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
}

}  // namespace cudacpu::sparse
