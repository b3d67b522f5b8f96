// cuBLAS: handles and copies.
#include "cublas_v2.h"

#include "cublas/call.h"

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

cublasStatus_t copy_columns(int rows, int columns, int element_bytes, const void* a, int lda,
                            void* b, int ldb, cudaMemcpyKind kind, bool waits,
                            cudaStream_t stream = nullptr) {
  if (rows < 0 || columns < 0 || element_bytes <= 0 || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<size_t>(element_bytes);
  const size_t height = static_cast<size_t>(columns);
  return status_of(waits ? cudaMemcpy2D(b, ldb * bytes, a, lda * bytes, rows * bytes, height, kind)
                         : cudaMemcpy2DAsync(b, ldb * bytes, a, lda * bytes, rows * bytes, height,
                                             kind, stream));
}

}  // namespace

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = open_handle();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return close_handle(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define NAME(value) \
  case value:       \
    return #value;
    NAME(CUBLAS_STATUS_SUCCESS)
    NAME(CUBLAS_STATUS_NOT_INITIALIZED)
    NAME(CUBLAS_STATUS_ALLOC_FAILED)
    NAME(CUBLAS_STATUS_INVALID_VALUE)
    NAME(CUBLAS_STATUS_ARCH_MISMATCH)
    NAME(CUBLAS_STATUS_MAPPING_ERROR)
    NAME(CUBLAS_STATUS_EXECUTION_FAILED)
    NAME(CUBLAS_STATUS_INTERNAL_ERROR)
    NAME(CUBLAS_STATUS_NOT_SUPPORTED)
    NAME(CUBLAS_STATUS_LICENSE_ERROR)
#undef NAME
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the handle was not made by cublasCreate()";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an argument is not valid";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "these types are not supported";
    default:
      return "the function failed";
  }
}

#define SETTING(name, Type, member)                                    \
  cublasStatus_t cublasSet##name(cublasHandle_t handle, Type value) {  \
    if (!is_open(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;        \
    handle->member = value;                                            \
    return CUBLAS_STATUS_SUCCESS;                                      \
  }                                                                    \
  cublasStatus_t cublasGet##name(cublasHandle_t handle, Type* value) { \
    if (!is_open(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;        \
    if (!value) return CUBLAS_STATUS_INVALID_VALUE;                    \
    *value = handle->member;                                           \
    return CUBLAS_STATUS_SUCCESS;                                      \
  }
SETTING(Stream, cudaStream_t, stream)
SETTING(PointerMode, cublasPointerMode_t, pointer_mode)
SETTING(MathMode, cublasMath_t, math_mode)
SETTING(EmulationStrategy, cublasEmulationStrategy_t, emulation_strategy)
SETTING(EmulationSpecialValuesSupport, cudaEmulationSpecialValuesSupport, special_values)
SETTING(FixedPointEmulationMantissaControl, cudaEmulationMantissaControl, mantissa_control)
SETTING(FixedPointEmulationMaxMantissaBitCount, int, mantissa_bits)
SETTING(FixedPointEmulationMantissaBitOffset, int, mantissa_offset)
#undef SETTING

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t) {
  return is_open(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return is_open(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

#define COPIES(name, kind)                                                                        \
  cublasStatus_t cublas##name##Vector(int n, int element_bytes, const void* x, int incx, void* y, \
                                      int incy) {                                                 \
    return copy_columns(1, n, element_bytes, x, incx, y, incy, kind, true);                       \
  }                                                                                               \
  cublasStatus_t cublas##name##VectorAsync(int n, int element_bytes, const void* x, int incx,     \
                                           void* y, int incy, cudaStream_t stream) {              \
    return copy_columns(1, n, element_bytes, x, incx, y, incy, kind, false, stream);              \
  }                                                                                               \
  cublasStatus_t cublas##name##Matrix(int rows, int columns, int element_bytes, const void* a,    \
                                      int lda, void* b, int ldb) {                                \
    return copy_columns(rows, columns, element_bytes, a, lda, b, ldb, kind, true);                \
  }                                                                                               \
  cublasStatus_t cublas##name##MatrixAsync(int rows, int columns, int element_bytes,              \
                                           const void* a, int lda, void* b, int ldb,              \
                                           cudaStream_t stream) {                                 \
    return copy_columns(rows, columns, element_bytes, a, lda, b, ldb, kind, false, stream);       \
  }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
#undef COPIES
