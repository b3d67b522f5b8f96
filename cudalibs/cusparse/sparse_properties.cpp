// cuSPARSE: what is asked and set of sparse matrices of every format.
#include <cstring>

#include "cusparse/matrices.h"

using namespace cudacpu::sparse;

namespace {

cusparseStatus_t set_pointers(cusparseSpMatDescr* matrix, cusparseFormat_t format, void* offsets,
                              void* indices, void* values) {
  if (!offsets || !indices || !values) return CUSPARSE_STATUS_INVALID_VALUE;
  return use_format(matrix, format, [&](cusparseSpMatDescr& a) {
    a.offsets = offsets;
    a.indices = indices;
    a.values = values;
  });
}

cusparseStatus_t set_batch(cusparseSpMatDescr* matrix, cusparseFormat_t format, int count,
                           int64_t offsets_stride, int64_t indices_stride, int64_t values_stride) {
  if (count < 1 || offsets_stride < 0 || indices_stride < 0 || values_stride < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return use_format(matrix, format, [&](cusparseSpMatDescr& a) {
    a.count = count;
    a.offsets_stride = offsets_stride;
    a.indices_stride = indices_stride;
    a.values_stride = values_stride;
  });
}

// The variable of an attribute.
void* attribute_of(cusparseSpMatDescr& matrix, cusparseSpMatAttribute_t attribute) {
  return attribute == CUSPARSE_SPMAT_FILL_MODE ? static_cast<void*>(&matrix.fill_mode)
                                               : static_cast<void*>(&matrix.diagonal);
}

bool is_attribute(cusparseSpMatAttribute_t attribute, const void* data, size_t bytes) {
  return data && bytes == sizeof(int) &&
         (attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE);
}

// The stored entries, each element of a block counted.
int64_t stored_entries(const cusparseSpMatDescr& matrix) {
  if (matrix.format == CUSPARSE_FORMAT_BSR)
    return matrix.nnz * matrix.block_rows * matrix.block_columns;
  return matrix.format == CUSPARSE_FORMAT_SLICED_ELLPACK ? matrix.entries : matrix.nnz;
}

}  // namespace

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return destroy(matrix);
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                        cusparseFormat_t* format) {
  return use(matrix, [&](const cusparseSpMatDescr& a) { give(format, a.format); });
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t* base) {
  return use(matrix, [&](const cusparseSpMatDescr& a) { give(base, a.base); });
}

cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
  return get_values(matrix, values);
}

cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t matrix,
                                             const void** values) {
  return get_values(matrix, values);
}

cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return set_values(matrix, values);
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                      int64_t* columns, int64_t* nnz) {
  return use(matrix, [&](const cusparseSpMatDescr& a) {
    give(rows, a.rows);
    give(columns, a.columns);
    give(nnz, stored_entries(a));
  });
}

cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count) {
  return use(matrix, [&](const cusparseSpMatDescr& a) { give(count, a.count); });
}

cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t stride) {
  return set_batch(matrix, CUSPARSE_FORMAT_COO, count, stride, stride, stride);
}

cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offsets_stride, int64_t entries_stride) {
  return set_batch(matrix, CUSPARSE_FORMAT_CSR, count, offsets_stride, entries_stride,
                   entries_stride);
}

cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offsets_stride, int64_t columns_stride,
                                            int64_t values_stride) {
  return set_batch(matrix, CUSPARSE_FORMAT_BSR, count, offsets_stride, columns_stride,
                   values_stride);
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  if (!is_live(matrix) || !is_attribute(attribute, data, bytes))
    return CUSPARSE_STATUS_INVALID_VALUE;
  cusparseSpMatDescr copy = *matrix;
  memcpy(data, attribute_of(copy, attribute), bytes);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  if (!is_live(matrix) || !is_attribute(attribute, data, bytes))
    return CUSPARSE_STATUS_INVALID_VALUE;
  memcpy(attribute_of(*matrix, attribute), data, bytes);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* row_offsets,
                                        void* column_indices, void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_CSR, row_offsets, column_indices, values);
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* column_offsets,
                                        void* row_indices, void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_CSC, column_offsets, row_indices, values);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* row_indices,
                                        void* column_indices, void* values) {
  return set_pointers(matrix, CUSPARSE_FORMAT_COO, row_indices, column_indices, values);
}
