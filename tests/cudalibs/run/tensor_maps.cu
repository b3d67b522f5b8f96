// Bulk copies need a GPU of compute capability 9.0: a program asks for their functions at run time,
// and the CPU device answers with none.
// expect: none
#include <cuda.h>

#include "../../cpudevice/run/check.h"

int main() {
  int major;
  CHECK_OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  CHECK(major < 9);
  void* function = &major;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  CHECK_OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                            cudaEnableDefault, &found));
  CHECK(!function && found == cudaDriverEntryPointSymbolNotFound);
  CHECK_ERROR(cudaErrorSymbolNotFound,
              cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, cudaEnableDefault));
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, 0));
  CUtensorMap map = {};
  CHECK(sizeof map == 128 && alignof(CUtensorMap) == 128);
  CHECK(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, nullptr, nullptr, nullptr,
                               nullptr, nullptr, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_ERROR_NOT_SUPPORTED);
  printf("none\n");
}
