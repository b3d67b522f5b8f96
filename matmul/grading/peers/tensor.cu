// The same contract through a library, for comparison. GPU only.
//
//   build/gpu/matmul/grading/peers/tensor --peer cublas_bf16 --m 4096 --n 4096 --k 4096 --repeats
//   11
//
//   cublas_bf16  cublasGemmEx: factors in bf16, sums and result in fp32
#include "peers.h"

#include <cublas_v2.h>

#include <algorithm>

#include "cuda_check.h"
#include "matmul.h"

const std::vector<std::string> kPeers = {"cublas_bf16"};

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
    return result;
  }();
  return created;
}

}  // namespace

// cuBLAS counts along columns first: to it the arrays hold the transposes, and C^T = B^T A^T.
void tensor(int m, int n, int k, const __nv_bfloat16* a, const __nv_bfloat16* b, float* c) {
  if (m == 0 || n == 0) return;
  const float one = 1;
  const float zero = 0;
  check(cublasGemmEx(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, CUDA_R_16BF, n, a,
                     CUDA_R_16BF, std::max(k, 1), &zero, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT));
}
