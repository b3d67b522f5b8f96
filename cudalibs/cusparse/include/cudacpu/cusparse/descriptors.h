// cuSPARSE: descriptors of vectors and matrices, dense and sparse. Each points to arrays of the
// program; functions with Const in their names are for arrays that are not changed.
#ifndef CUDACPU_CUSPARSE_DESCRIPTORS_H_
#define CUDACPU_CUSPARSE_DESCRIPTORS_H_

#include "handle.h"

typedef struct cusparseSpVecDescr* cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef const struct cusparseSpVecDescr* cusparseConstSpVecDescr_t;
typedef const struct cusparseDnVecDescr* cusparseConstDnVecDescr_t;
typedef const struct cusparseSpMatDescr* cusparseConstSpMatDescr_t;
typedef const struct cusparseDnMatDescr* cusparseConstDnMatDescr_t;

typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3,
  CUSPARSE_FORMAT_BLOCKED_ELL = 5,
  CUSPARSE_FORMAT_BSR = 6,
  CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
// Indices of 16 bits are not offered.
typedef enum {
  CUSPARSE_INDEX_16U = 1,
  CUSPARSE_INDEX_32I = 2,
  CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;

extern "C" {
// ---- sparse vectors ----
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                     void* indices, void* values, cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size,
                                          int64_t nnz, const void* indices, const void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType value_type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz,
                                  void** indices, void** values, cusparseIndexType_t* index_type,
                                  cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t vector, int64_t* size,
                                       int64_t* nnz, const void** indices, const void** values,
                                       cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                       cudaDataType* value_type);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector,
                                           cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t vector, const void** values);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values);

// ---- dense vectors ----
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values,
                                     cudaDataType value_type);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size,
                                          const void* values, cudaDataType value_type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values,
                                  cudaDataType* value_type);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t* size,
                                       const void** values, cudaDataType* value_type);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector, const void** values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values);

// ---- dense matrices ----
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                     int64_t ld, void* values, cudaDataType value_type,
                                     cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows,
                                          int64_t columns, int64_t ld, const void* values,
                                          cudaDataType value_type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                  int64_t* ld, void** values, cudaDataType* type,
                                  cusparseOrder_t* order);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t matrix, int64_t* rows,
                                       int64_t* columns, int64_t* ld, const void** values,
                                       cudaDataType* type, cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t matrix, const void** values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count,
                                              int64_t stride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count,
                                              int64_t* stride);

// ---- sparse matrices ----
// Rows by offsets (CSR), columns by offsets (CSC), a list of entries (COO).
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void* row_offsets, void* column_indices,
                                   void* values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType value_type);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void* row_offsets,
                                        const void* column_indices, const void* values,
                                        cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                int64_t* nnz, void** row_offsets, void** column_indices,
                                void** values, cusparseIndexType_t* offset_type,
                                cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                cudaDataType* value_type);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                     int64_t* columns, int64_t* nnz, const void** row_offsets,
                                     const void** column_indices, const void** values,
                                     cusparseIndexType_t* offset_type,
                                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                     cudaDataType* value_type);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* row_offsets,
                                        void* column_indices, void* values);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void* column_offsets, void* row_indices,
                                   void* values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType value_type);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void* column_offsets,
                                        const void* row_indices, const void* values,
                                        cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                int64_t* nnz, void** column_offsets, void** row_indices,
                                void** values, cusparseIndexType_t* offset_type,
                                cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                cudaDataType* value_type);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                     int64_t* columns, int64_t* nnz, const void** column_offsets,
                                     const void** row_indices, const void** values,
                                     cusparseIndexType_t* offset_type,
                                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                     cudaDataType* value_type);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* column_offsets,
                                        void* row_indices, void* values);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void* row_indices, void* column_indices,
                                   void* values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void* row_indices,
                                        const void* column_indices, const void* values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                int64_t* nnz, void** row_indices, void** column_indices,
                                void** values, cusparseIndexType_t* index_type,
                                cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                     int64_t* columns, int64_t* nnz, const void** row_indices,
                                     const void** column_indices, const void** values,
                                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                     cudaDataType* value_type);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* row_indices,
                                        void* column_indices, void* values);
// Dense blocks instead of entries (BSR); the same number of blocks in each row of blocks
// (Blocked-ELL), stored as a matrix of `ell_columns` columns, row by row; rows of the same length
// in each slice of rows, stored column by column (Sliced ELL). In Blocked-ELL and Sliced ELL,
// column -1 marks a missing block or entry.
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* matrix, int64_t block_rows,
                                   int64_t block_columns, int64_t blocks, int64_t rows_in_block,
                                   int64_t columns_in_block, void* row_offsets,
                                   void* column_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type,
                                   cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t* matrix, int64_t block_rows,
                                        int64_t block_columns, int64_t blocks,
                                        int64_t rows_in_block, int64_t columns_in_block,
                                        const void* row_offsets, const void* column_indices,
                                        const void* values, cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type, cusparseOrder_t order);
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* matrix, int64_t rows,
                                          int64_t columns, int64_t block_size, int64_t ell_columns,
                                          void* column_indices, void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType value_type);
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                               int64_t columns, int64_t block_size,
                                               int64_t ell_columns, const void* column_indices,
                                               const void* values, cusparseIndexType_t index_type,
                                               cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                       int64_t* block_size, int64_t* ell_columns,
                                       void** column_indices, void** values,
                                       cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                       cudaDataType* value_type);
cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                            int64_t* columns, int64_t* block_size,
                                            int64_t* ell_columns, const void** column_indices,
                                            const void** values, cusparseIndexType_t* index_type,
                                            cusparseIndexBase_t* base, cudaDataType* value_type);
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* matrix, int64_t rows,
                                         int64_t columns, int64_t nnz, int64_t stored,
                                         int64_t slice_rows, void* slice_offsets,
                                         void* column_indices, void* values,
                                         cusparseIndexType_t offset_type,
                                         cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                         cudaDataType value_type);
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                              int64_t columns, int64_t nnz, int64_t stored,
                                              int64_t slice_rows, const void* slice_offsets,
                                              const void* column_indices, const void* values,
                                              cusparseIndexType_t offset_type,
                                              cusparseIndexType_t index_type,
                                              cusparseIndexBase_t base, cudaDataType value_type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t* base);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t matrix, const void** values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                      int64_t* columns, int64_t* nnz);
// Several matrices of the same size; strides are in elements, a stride of offsets may be 0.
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count, int64_t stride);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offsets_stride, int64_t entries_stride);
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offsets_stride, int64_t columns_stride,
                                            int64_t values_stride);
// The triangle of a triangular system, and whether the diagonal is 1.
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes);
}

#endif
