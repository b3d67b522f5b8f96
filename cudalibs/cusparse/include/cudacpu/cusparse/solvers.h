// cuSPARSE: incomplete decompositions, and systems with few diagonals.
#ifndef CUDACPU_CUSPARSE_SOLVERS_H_
#define CUDACPU_CUSPARSE_SOLVERS_H_

#include "handle.h"

typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;

extern "C" {
// ---- incomplete decompositions ----
// A = L U, or A = L L' of which only the lower triangle of A is used, in place and without new
// entries. _zeroPivot gives the first row whose pivot is missing or 0, or -1.
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int* position);
// Pivots of at most `tolerance` become `value`.
#define CUDACPU_SPARSE_BOOST(L, T)                     \
  cusparseStatus_t cusparse##L##csrilu02_numericBoost( \
      cusparseHandle_t handle, csrilu02Info_t info, int enable, double* tolerance, T* value);
CUDACPU_SPARSE_BOOST(S, float)
CUDACPU_SPARSE_BOOST(D, double)
CUDACPU_SPARSE_BOOST(C, cuComplex)
CUDACPU_SPARSE_BOOST(Z, cuDoubleComplex)
#undef CUDACPU_SPARSE_BOOST
#define CUDACPU_SPARSE_INCOMPLETE(L, T)                                                        \
  cusparseStatus_t cusparse##L##csrilu02_bufferSize(                                           \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T* values, \
      const int* row_offsets, const int* column_indices, csrilu02Info_t info, int* bytes);     \
  cusparseStatus_t cusparse##L##csrilu02_bufferSizeExt(                                        \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T* values, \
      const int* row_offsets, const int* column_indices, csrilu02Info_t info, size_t* bytes);  \
  cusparseStatus_t cusparse##L##csrilu02_analysis(                                             \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor,            \
      const T* values, const int* row_offsets, const int* column_indices, csrilu02Info_t info, \
      cusparseSolvePolicy_t policy, void* buffer);                                             \
  cusparseStatus_t cusparse##L##csrilu02(                                                      \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T* values, \
      const int* row_offsets, const int* column_indices, csrilu02Info_t info,                  \
      cusparseSolvePolicy_t policy, void* buffer);                                             \
  cusparseStatus_t cusparse##L##csric02_bufferSize(                                            \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T* values, \
      const int* row_offsets, const int* column_indices, csric02Info_t info, int* bytes);      \
  cusparseStatus_t cusparse##L##csric02_bufferSizeExt(                                         \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T* values, \
      const int* row_offsets, const int* column_indices, csric02Info_t info, size_t* bytes);   \
  cusparseStatus_t cusparse##L##csric02_analysis(                                              \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor,            \
      const T* values, const int* row_offsets, const int* column_indices, csric02Info_t info,  \
      cusparseSolvePolicy_t policy, void* buffer);                                             \
  cusparseStatus_t cusparse##L##csric02(                                                       \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T* values, \
      const int* row_offsets, const int* column_indices, csric02Info_t info,                   \
      cusparseSolvePolicy_t policy, void* buffer);
CUDACPU_SPARSE_INCOMPLETE(S, float)
CUDACPU_SPARSE_INCOMPLETE(D, double)
CUDACPU_SPARSE_INCOMPLETE(C, cuComplex)
CUDACPU_SPARSE_INCOMPLETE(Z, cuDoubleComplex)
#undef CUDACPU_SPARSE_INCOMPLETE

// ---- systems with three and five diagonals ----
// The diagonals are `dl`, `d` and `du`, with `ds` before and `dw` after them; the first element of
// `dl` is not used, nor is the last of `du`. Solutions take the place of right sides. Systems in a
// batch lie `stride` elements apart, or element i of all of them side by side (interleaved).
#define CUDACPU_SPARSE_DIAGONALS(L, T)                                                             \
  cusparseStatus_t cusparse##L##gtsv2_bufferSizeExt(cusparseHandle_t handle, int m, int n,         \
                                                    const T* dl, const T* d, const T* du,          \
                                                    const T* b, int ldb, size_t* bytes);           \
  cusparseStatus_t cusparse##L##gtsv2(cusparseHandle_t handle, int m, int n, const T* dl,          \
                                      const T* d, const T* du, T* b, int ldb, void* buffer);       \
  cusparseStatus_t cusparse##L##gtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int m, int n, \
                                                            const T* dl, const T* d, const T* du,  \
                                                            const T* b, int ldb, size_t* bytes);   \
  cusparseStatus_t cusparse##L##gtsv2_nopivot(cusparseHandle_t handle, int m, int n, const T* dl,  \
                                              const T* d, const T* du, T* b, int ldb,              \
                                              void* buffer);                                       \
  cusparseStatus_t cusparse##L##gtsv2StridedBatch_bufferSizeExt(                                   \
      cusparseHandle_t handle, int m, const T* dl, const T* d, const T* du, const T* x, int count, \
      int stride, size_t* bytes);                                                                  \
  cusparseStatus_t cusparse##L##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl,     \
                                                  const T* d, const T* du, T* x, int count,        \
                                                  int stride, void* buffer);                       \
  cusparseStatus_t cusparse##L##gtsvInterleavedBatch_bufferSizeExt(                                \
      cusparseHandle_t handle, int algo, int m, const T* dl, const T* d, const T* du, const T* x,  \
      int count, size_t* bytes);                                                                   \
  cusparseStatus_t cusparse##L##gtsvInterleavedBatch(cusparseHandle_t handle, int algo, int m,     \
                                                     T* dl, T* d, T* du, T* x, int count,          \
                                                     void* buffer);                                \
  cusparseStatus_t cusparse##L##gpsvInterleavedBatch_bufferSizeExt(                                \
      cusparseHandle_t handle, int algo, int m, const T* ds, const T* dl, const T* d, const T* du, \
      const T* dw, const T* x, int count, size_t* bytes);                                          \
  cusparseStatus_t cusparse##L##gpsvInterleavedBatch(cusparseHandle_t handle, int algo, int m,     \
                                                     T* ds, T* dl, T* d, T* du, T* dw, T* x,       \
                                                     int count, void* buffer);
CUDACPU_SPARSE_DIAGONALS(S, float)
CUDACPU_SPARSE_DIAGONALS(D, double)
CUDACPU_SPARSE_DIAGONALS(C, cuComplex)
CUDACPU_SPARSE_DIAGONALS(Z, cuDoubleComplex)
#undef CUDACPU_SPARSE_DIAGONALS
}

#endif
