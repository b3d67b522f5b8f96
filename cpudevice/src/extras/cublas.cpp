// cuBLAS: handles, copies, and its first level: vectors.
#include "cublas_v2.h"

#include <cmath>

#include "extras/cublas_call.h"

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

// Returns the index, counted from 1, of the first element that `before` puts before all others; 0
// if there are none.
template <typename T, typename Before>
int extreme(const T* x, int n, int inc, Before before) {
  if (n <= 0 || inc <= 0) return 0;
  int best = 0;
  for (int i = 1; i < n; ++i) {
    if (before(std::abs(x[int64_t{i} * inc]), std::abs(x[int64_t{best} * inc]))) best = i;
  }
  return best + 1;
}

// Scaled by the largest element, so that no square overflows.
template <typename T>
T length(const T* x, int n, int inc) {
  T scale = 0, squares = 1;
  for (int i = 0; i < n; ++i) {
    const T value = std::abs(x[int64_t{i} * inc]);
    if (value == 0) continue;
    if (scale < value) {
      squares = 1 + squares * (scale / value) * (scale / value);
      scale = value;
    } else {
      squares += (value / scale) * (value / scale);
    }
  }
  return scale * std::sqrt(squares);
}

cublasStatus_t copy_columns(int rows, int columns, int element_bytes, const void* a, int lda,
                            void* b, int ldb, cudaMemcpyKind kind, cudaStream_t stream) {
  if (rows < 0 || columns < 0 || element_bytes <= 0 || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = static_cast<size_t>(element_bytes);
  return status_of(cudaMemcpy2DAsync(b, ldb * bytes, a, lda * bytes, rows * bytes,
                                     static_cast<size_t>(columns), kind, stream));
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
    return copy_columns(1, n, element_bytes, x, incx, y, incy, kind, nullptr);                    \
  }                                                                                               \
  cublasStatus_t cublas##name##VectorAsync(int n, int element_bytes, const void* x, int incx,     \
                                           void* y, int incy, cudaStream_t stream) {              \
    return copy_columns(1, n, element_bytes, x, incx, y, incy, kind, stream);                     \
  }                                                                                               \
  cublasStatus_t cublas##name##Matrix(int rows, int columns, int element_bytes, const void* a,    \
                                      int lda, void* b, int ldb) {                                \
    return copy_columns(rows, columns, element_bytes, a, lda, b, ldb, kind, nullptr);             \
  }                                                                                               \
  cublasStatus_t cublas##name##MatrixAsync(int rows, int columns, int element_bytes,              \
                                           const void* a, int lda, void* b, int ldb,              \
                                           cudaStream_t stream) {                                 \
    return copy_columns(rows, columns, element_bytes, a, lda, b, ldb, kind, stream);              \
  }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
#undef COPIES

#define LEVEL_1(L, l, T)                                                                          \
  cublasStatus_t cublasI##l##amax(cublasHandle_t handle, int n, const T* x, int incx,             \
                                  int* result) {                                                  \
    return run(handle, "cublasI" #l "amax", [=, to = Result<int>(handle, result)](Call& call) {   \
      call.reads_vector(x, n, incx, "vector x");                                                  \
      if (call.valid) to.put(call, extreme(x, n, incx, [](T a, T b) { return a > b; }));          \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublasI##l##amin(cublasHandle_t handle, int n, const T* x, int incx,             \
                                  int* result) {                                                  \
    return run(handle, "cublasI" #l "amin", [=, to = Result<int>(handle, result)](Call& call) {   \
      call.reads_vector(x, n, incx, "vector x");                                                  \
      if (call.valid) to.put(call, extreme(x, n, incx, [](T a, T b) { return a < b; }));          \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##asum(cublasHandle_t handle, int n, const T* x, int incx, T* result) { \
    return run(handle, "cublas" #L "asum", [=, to = Result<T>(handle, result)](Call& call) {      \
      call.reads_vector(x, n, incx, "vector x");                                                  \
      T sum = 0;                                                                                  \
      for (int64_t i = 0; call.valid && incx > 0 && i < n; ++i)                                   \
        sum += std::abs(x[i * incx]);                                                             \
      to.put(call, sum);                                                                          \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##nrm2(cublasHandle_t handle, int n, const T* x, int incx, T* result) { \
    return run(handle, "cublas" #L "nrm2", [=, to = Result<T>(handle, result)](Call& call) {      \
      call.reads_vector(x, n, incx, "vector x");                                                  \
      if (call.valid) to.put(call, incx > 0 ? length(x, n, incx) : T(0));                         \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##dot(cublasHandle_t handle, int n, const T* x, int incx, const T* y,   \
                                int incy, T* result) {                                            \
    return run(handle, "cublas" #L "dot", [=, to = Result<T>(handle, result)](Call& call) {       \
      const T* a = call.reads_vector(x, n, incx, "vector x");                                     \
      const T* b = call.reads_vector(y, n, incy, "vector y");                                     \
      T sum = 0;                                                                                  \
      for (int64_t i = 0; call.valid && i < n; ++i)                                               \
        sum += a[i * incx] * b[i * incy];                                                         \
      to.put(call, sum);                                                                          \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,        \
                                 int incx, T* y, int incy) {                                      \
    return run(handle, "cublas" #L "axpy", [=, factor = Factor<T>(handle, alpha)](Call& call) {   \
      const T* a = call.reads_vector(x, n, incx, "vector x");                                     \
      T* b = call.writes_vector(y, n, incy, "vector y");                                          \
      const T f = factor.get(call);                                                               \
      for (int64_t i = 0; call.valid && i < n; ++i)                                               \
        b[i * incy] += f * a[i * incx];                                                           \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##copy(cublasHandle_t handle, int n, const T* x, int incx, T* y,        \
                                 int incy) {                                                      \
    return run(handle, "cublas" #L "copy", [=](Call& call) {                                      \
      const T* a = call.reads_vector(x, n, incx, "vector x");                                     \
      T* b = call.writes_vector(y, n, incy, "vector y", false);                                   \
      for (int64_t i = 0; call.valid && i < n; ++i)                                               \
        b[i * incy] = a[i * incx];                                                                \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##swap(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {  \
    return run(handle, "cublas" #L "swap", [=](Call& call) {                                      \
      T* a = call.writes_vector(x, n, incx, "vector x");                                          \
      T* b = call.writes_vector(y, n, incy, "vector y");                                          \
      for (int64_t i = 0; call.valid && i < n; ++i)                                               \
        std::swap(a[i * incx], b[i * incy]);                                                      \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {  \
    return run(handle, "cublas" #L "scal", [=, factor = Factor<T>(handle, alpha)](Call& call) {   \
      call.writes_vector(x, n, incx, "vector x");                                                 \
      const T f = factor.get(call);                                                               \
      for (int64_t i = 0; call.valid && incx > 0 && i < n; ++i)                                   \
        x[i * incx] *= f;                                                                         \
    });                                                                                           \
  }                                                                                               \
  cublasStatus_t cublas##L##rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy,     \
                                const T* c, const T* s) {                                         \
    return run(handle, "cublas" #L "rot",                                                         \
               [=, cosine = Factor<T>(handle, c), sine = Factor<T>(handle, s)](Call& call) {      \
                 T* a = call.writes_vector(x, n, incx, "vector x");                               \
                 T* b = call.writes_vector(y, n, incy, "vector y");                               \
                 const T cos = cosine.get(call), sin = sine.get(call);                            \
                 for (int64_t i = 0; call.valid && i < n; ++i) {                                  \
                   const T before = a[i * incx];                                                  \
                   a[i * incx] = cos * before + sin * b[i * incy];                                \
                   b[i * incy] = cos * b[i * incy] - sin * before;                                \
                 }                                                                                \
               });                                                                                \
  }
LEVEL_1(S, s, float)
LEVEL_1(D, d, double)
#undef LEVEL_1
