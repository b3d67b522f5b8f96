// The descriptors of vectors and matrices. Work in a stream has copies of its descriptors.
#pragma once

#include "cusparse/call.h"

struct cusparseSpVecDescr {
  int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};

struct cusparseDnVecDescr {
  int64_t size;
  void* values;
  cudaDataType type;
};

struct cusparseDnMatDescr {
  int64_t rows, columns, ld;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
  int count = 1;  // of matrices in a batch
  int64_t stride = 0;
};

struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns;
  int64_t nnz;    // stored entries, or blocks
  void* offsets;  // of rows, columns, rows of blocks or slices; of COO the row indices
  void *indices, *values;
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  int64_t block_rows = 1, block_columns = 1;  // the size of a block or, with one column, of a slice
  cusparseOrder_t order = CUSPARSE_ORDER_ROW;  // of the elements in a block
  int64_t width = 0;                           // Blocked-ELL: the columns stored in each row
  int64_t entries = 0;                         // Sliced ELL: all entries except padding
  cusparseFillMode_t fill_mode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int count = 1;  // of matrices in a batch
  int64_t offsets_stride = 0, indices_stride = 0, values_stride = 0;
};

// The matrices of the older functions: compressed rows with indices of 32 bits, whose arrays are
// arguments of each call.
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill_mode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};

namespace cudacpu::sparse {

// What all formats have.
inline cusparseSpMatDescr sparse_matrix(cusparseFormat_t format, int64_t rows, int64_t columns,
                                        int64_t nnz, const void* offsets, const void* indices,
                                        const void* values, cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType type) {
  cusparseSpMatDescr matrix{};
  matrix.format = format;
  matrix.rows = rows;
  matrix.columns = columns;
  matrix.nnz = nnz;
  matrix.offsets = const_cast<void*>(offsets);
  matrix.indices = const_cast<void*>(indices);
  matrix.values = const_cast<void*>(values);
  matrix.offset_type = offset_type;
  matrix.index_type = index_type;
  matrix.base = base;
  matrix.type = type;
  return matrix;
}

// Makes a generic matrix of an older function's matrix. `descriptor` must be live.
inline cusparseSpMatDescr compressed_rows(const cusparseMatDescr* descriptor, int64_t rows,
                                          int64_t columns, int64_t nnz, const void* values,
                                          cudaDataType type, const int* offsets,
                                          const int* indices) {
  return sparse_matrix(CUSPARSE_FORMAT_CSR, rows, columns, nnz, offsets, indices, values,
                       CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, descriptor->base, type);
}

// Whether values of the type are supported; explains the error if not.
cusparseStatus_t check_value_type(const char* name, cudaDataType type);

// Runs `function` if `descriptor` is live.
template <typename Object, typename Function>
cusparseStatus_t use(Object* descriptor, Function function) {
  if (!is_live(descriptor)) return CUSPARSE_STATUS_INVALID_VALUE;
  function(*descriptor);
  return CUSPARSE_STATUS_SUCCESS;
}

// Runs `function` if `matrix` is live and has the format.
template <typename Object, typename Function>
cusparseStatus_t use_format(Object* matrix, cusparseFormat_t format, Function function) {
  if (!is_live(matrix) || matrix->format != format) return CUSPARSE_STATUS_INVALID_VALUE;
  function(*matrix);
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Object, typename Pointer>
cusparseStatus_t get_values(Object* descriptor, Pointer* values) {
  if (!values) return CUSPARSE_STATUS_INVALID_VALUE;
  return use(descriptor, [&](const Object& x) { *values = x.values; });
}

template <typename Object>
cusparseStatus_t set_values(Object* descriptor, void* values) {
  return use(descriptor, [&](Object& x) { x.values = values; });
}

}  // namespace cudacpu::sparse
