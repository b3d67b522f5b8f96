// The same contract through a library, for comparison. GPU only.
//
//   build/gpu/matmul/grading/peers/sgemm --peer cublas_sgemm --m 4096 --n 4096 --k 4096 --repeats
//   11
//
//   cublas_sgemm  cublasSgemm on ordinary cores
//   cublas_tf32   the same, allowed to round the factors to 10 bits of mantissa and to take tensor
//                 cores: its result is not within the contract's bound, so it is no measure for
//                 a submission
#include "peers.h"

#include <cublas_v2.h>

#include <algorithm>

#include "cuda_check.h"
#include "matmul.h"

const std::vector<std::string> kPeers = {"cublas_sgemm", "cublas_tf32"};

namespace {

void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw CudaError("cuBLAS failed: %s", cublasGetStatusString(status));
}

// Made by the first call, which is not timed, and kept until the process ends.
cublasHandle_t handle() {
  static const cublasHandle_t created = [] {
    cublasHandle_t result;
    check(cublasCreate(&result));
    const bool tf32 = selected_peer() == "cublas_tf32";
    check(cublasSetMathMode(result, tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_PEDANTIC_MATH));
    return result;
  }();
  return created;
}

}  // namespace

// cuBLAS counts along columns first: to it the arrays hold the transposes, and C^T = B^T A^T.
void sgemm(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  const float one = 1;
  const float zero = 0;
  check(cublasSgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, std::max(k, 1),
                    &zero, c, n));
}
