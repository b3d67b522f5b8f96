// cuSPARSE: functions that change how a sparse matrix is stored, and sums of two sparse matrices.
// Indices have 32 bits.
#ifndef CUDACPU_CUSPARSE_CONVERSIONS_H_
#define CUDACPU_CUSPARSE_CONVERSIONS_H_

#include "handle.h"

typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;

extern "C" {
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* row_indices, int nnz, int m,
                                  int* row_offsets, cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* row_offsets, int nnz, int m,
                                  int* row_indices, cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void* csr_values, const int* csr_row_offsets,
                                               const int* csr_columns, void* csc_values,
                                               int* csc_column_offsets, int* csc_rows,
                                               cudaDataType value_type, cusparseAction_t action,
                                               cusparseIndexBase_t base,
                                               cusparseCsr2CscAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void* csr_values, const int* csr_row_offsets,
                                    const int* csr_columns, void* csc_values,
                                    int* csc_column_offsets, int* csc_rows, cudaDataType value_type,
                                    cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t algorithm, void* buffer);

// Sorting moves the elements of `permutation`, if given, together with the entries. Afterwards
// `permutation` has the entries' old places, by which values can be gathered.
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n,
                                                   int* permutation);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* row_indices, const int* column_indices,
                                                size_t* bytes);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz,
                                       int* row_indices, int* column_indices, int* permutation,
                                       void* buffer);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz,
                                          int* row_indices, int* column_indices, int* permutation,
                                          void* buffer);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* row_offsets, const int* column_indices,
                                                size_t* bytes);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descriptor, const int* row_offsets,
                                  int* column_indices, int* permutation, void* buffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* column_offsets, const int* row_indices,
                                                size_t* bytes);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descriptor, const int* column_offsets,
                                  int* row_indices, int* permutation, void* buffer);

// The elements of a dense matrix other than 0, in each row or column and in all.
#define CUDACPU_SPARSE_NNZ(L, T)                                                                   \
  cusparseStatus_t cusparse##L##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, \
                                    int n, const cusparseMatDescr_t descriptor, const T* values,   \
                                    int ld, int* per_line, int* total);
CUDACPU_SPARSE_NNZ(S, float)
CUDACPU_SPARSE_NNZ(D, double)
CUDACPU_SPARSE_NNZ(C, cuComplex)
CUDACPU_SPARSE_NNZ(Z, cuDoubleComplex)
#undef CUDACPU_SPARSE_NNZ

// C = alpha A + beta B: first the offsets and the number of entries of C, then columns and values.
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t descriptor_a, int nnz_a,
                                      const int* row_offsets_a, const int* column_indices_a,
                                      const cusparseMatDescr_t descriptor_b, int nnz_b,
                                      const int* row_offsets_b, const int* column_indices_b,
                                      const cusparseMatDescr_t descriptor_c, int* row_offsets_c,
                                      int* total, void* workspace);
#define CUDACPU_SPARSE_SUM(L, T)                                                          \
  cusparseStatus_t cusparse##L##csrgeam2_bufferSizeExt(                                   \
      cusparseHandle_t handle, int m, int n, const T* alpha,                              \
      const cusparseMatDescr_t descriptor_a, int nnz_a, const T* values_a,                \
      const int* row_offsets_a, const int* column_indices_a, const T* beta,               \
      const cusparseMatDescr_t descriptor_b, int nnz_b, const T* values_b,                \
      const int* row_offsets_b, const int* column_indices_b,                              \
      const cusparseMatDescr_t descriptor_c, const T* values_c, const int* row_offsets_c, \
      const int* column_indices_c, size_t* bytes);                                        \
  cusparseStatus_t cusparse##L##csrgeam2(                                                 \
      cusparseHandle_t handle, int m, int n, const T* alpha,                              \
      const cusparseMatDescr_t descriptor_a, int nnz_a, const T* values_a,                \
      const int* row_offsets_a, const int* column_indices_a, const T* beta,               \
      const cusparseMatDescr_t descriptor_b, int nnz_b, const T* values_b,                \
      const int* row_offsets_b, const int* column_indices_b,                              \
      const cusparseMatDescr_t descriptor_c, T* values_c, int* row_offsets_c,             \
      int* column_indices_c, void* buffer);
CUDACPU_SPARSE_SUM(S, float)
CUDACPU_SPARSE_SUM(D, double)
CUDACPU_SPARSE_SUM(C, cuComplex)
CUDACPU_SPARSE_SUM(Z, cuDoubleComplex)
#undef CUDACPU_SPARSE_SUM
}

#endif
