// cuSPARSE: descriptors of sparse matrices.
#include "common/core.h"
#include "cusparse/matrices.h"

using namespace cudacpu::sparse;

namespace {

template <typename Object>
cusparseStatus_t create_sparse_matrix(const char* name, Object** handle,
                                      const cusparseSpMatDescr& matrix) {
  if (matrix.rows < 0 || matrix.columns < 0 || matrix.nnz < 0 || matrix.block_rows < 1 ||
      matrix.block_columns < 1)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (matrix.index_type == CUSPARSE_INDEX_16U || matrix.offset_type != matrix.index_type)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (const auto error = check_value_type(name, matrix.type)) return error;
  return create(handle, matrix);
}

// CSR, CSC and COO.
template <typename Object>
cusparseStatus_t create_entries(const char* name, Object** handle,
                                const cusparseSpMatDescr& matrix) {
  const auto most = static_cast<double>(matrix.rows) * static_cast<double>(matrix.columns);
  if (static_cast<double>(matrix.nnz) > most) return CUSPARSE_STATUS_INVALID_VALUE;
  return create_sparse_matrix(name, handle, matrix);
}

template <typename Object>
cusparseStatus_t create_blocks(const char* name, Object** handle, cusparseSpMatDescr matrix,
                               int64_t rows_in_block, int64_t columns_in_block,
                               cusparseOrder_t order) {
  if (rows_in_block != columns_in_block) {
    cudacpu::explain("%s: cuSPARSE has only blocks with as many rows as columns", name);
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  matrix.rows *= rows_in_block;
  matrix.columns *= columns_in_block;
  matrix.block_rows = rows_in_block;
  matrix.block_columns = columns_in_block;
  matrix.order = order;
  return create_sparse_matrix(name, handle, matrix);
}

template <typename Object>
cusparseStatus_t create_blocked_ell(const char* name, Object** handle, cusparseSpMatDescr matrix,
                                    int64_t block_size, int64_t ell_columns) {
  if (block_size < 1 || matrix.rows % block_size != 0 || ell_columns < 0 ||
      ell_columns > matrix.columns || ell_columns % block_size != 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  matrix.nnz = matrix.rows * ell_columns;
  matrix.block_rows = matrix.block_columns = block_size;
  matrix.width = ell_columns;
  return create_sparse_matrix(name, handle, matrix);
}

template <typename Object>
cusparseStatus_t create_slices(const char* name, Object** handle, cusparseSpMatDescr matrix,
                               int64_t entries, int64_t slice_rows) {
  matrix.block_rows = slice_rows;
  matrix.entries = entries;
  return create_sparse_matrix(name, handle, matrix);
}

template <typename Object, typename Pointer>
cusparseStatus_t get_sparse_matrix(Object* matrix, cusparseFormat_t format, int64_t* rows,
                                   int64_t* columns, int64_t* nnz, Pointer* offsets,
                                   Pointer* indices, Pointer* values,
                                   cusparseIndexType_t* offset_type,
                                   cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                   cudaDataType* type) {
  return use_format(matrix, format, [&](const cusparseSpMatDescr& a) {
    give(rows, a.rows);
    give(columns, a.columns);
    give(nnz, a.nnz);
    give(offsets, a.offsets);
    give(indices, a.indices);
    give(values, a.values);
    give(offset_type, a.offset_type);
    give(index_type, a.index_type);
    give(base, a.base);
    give(type, a.type);
  });
}

template <typename Object, typename Pointer>
cusparseStatus_t get_blocked_ell(Object* matrix, int64_t* rows, int64_t* columns,
                                 int64_t* block_size, int64_t* ell_columns, Pointer* indices,
                                 Pointer* values, cusparseIndexType_t* index_type,
                                 cusparseIndexBase_t* base, cudaDataType* type) {
  if (is_live(matrix)) {
    give(block_size, matrix->block_rows);
    give(ell_columns, matrix->width);
  }
  Pointer* const no_offsets = nullptr;
  return get_sparse_matrix(matrix, CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, nullptr, no_offsets,
                           indices, values, nullptr, index_type, base, type);
}

}  // namespace

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void* row_offsets, void* column_indices,
                                   void* values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType value_type) {
  return create_entries(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_CSR, rows, columns, nnz, row_offsets, column_indices, values,
                    offset_type, index_type, base, value_type));
}

cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                int64_t* nnz, void** row_offsets, void** column_indices,
                                void** values, cusparseIndexType_t* offset_type,
                                cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                cudaDataType* value_type) {
  return get_sparse_matrix(matrix, CUSPARSE_FORMAT_CSR, rows, columns, nnz, row_offsets,
                           column_indices, values, offset_type, index_type, base, value_type);
}

cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void* row_offsets,
                                        const void* column_indices, const void* values,
                                        cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type) {
  return create_entries(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_CSR, rows, columns, nnz, row_offsets, column_indices, values,
                    offset_type, index_type, base, value_type));
}

cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                     int64_t* columns, int64_t* nnz, const void** row_offsets,
                                     const void** column_indices, const void** values,
                                     cusparseIndexType_t* offset_type,
                                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                     cudaDataType* value_type) {
  return get_sparse_matrix(matrix, CUSPARSE_FORMAT_CSR, rows, columns, nnz, row_offsets,
                           column_indices, values, offset_type, index_type, base, value_type);
}

cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void* column_offsets, void* row_indices,
                                   void* values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                   cudaDataType value_type) {
  return create_entries(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_CSC, rows, columns, nnz, column_offsets, row_indices, values,
                    offset_type, index_type, base, value_type));
}

cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                int64_t* nnz, void** column_offsets, void** row_indices,
                                void** values, cusparseIndexType_t* offset_type,
                                cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                cudaDataType* value_type) {
  return get_sparse_matrix(matrix, CUSPARSE_FORMAT_CSC, rows, columns, nnz, column_offsets,
                           row_indices, values, offset_type, index_type, base, value_type);
}

cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void* column_offsets,
                                        const void* row_indices, const void* values,
                                        cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type) {
  return create_entries(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_CSC, rows, columns, nnz, column_offsets, row_indices, values,
                    offset_type, index_type, base, value_type));
}

cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                     int64_t* columns, int64_t* nnz, const void** column_offsets,
                                     const void** row_indices, const void** values,
                                     cusparseIndexType_t* offset_type,
                                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                     cudaDataType* value_type) {
  return get_sparse_matrix(matrix, CUSPARSE_FORMAT_CSC, rows, columns, nnz, column_offsets,
                           row_indices, values, offset_type, index_type, base, value_type);
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void* row_indices, void* column_indices,
                                   void* values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type) {
  return create_entries(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_COO, rows, columns, nnz, row_indices, column_indices, values,
                    index_type, index_type, base, value_type));
}

cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                int64_t* nnz, void** row_indices, void** column_indices,
                                void** values, cusparseIndexType_t* index_type,
                                cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_sparse_matrix(matrix, CUSPARSE_FORMAT_COO, rows, columns, nnz, row_indices,
                           column_indices, values, nullptr, index_type, base, value_type);
}

cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                        int64_t columns, int64_t nnz, const void* row_indices,
                                        const void* column_indices, const void* values,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type) {
  return create_entries(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_COO, rows, columns, nnz, row_indices, column_indices, values,
                    index_type, index_type, base, value_type));
}

cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                     int64_t* columns, int64_t* nnz, const void** row_indices,
                                     const void** column_indices, const void** values,
                                     cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                     cudaDataType* value_type) {
  return get_sparse_matrix(matrix, CUSPARSE_FORMAT_COO, rows, columns, nnz, row_indices,
                           column_indices, values, nullptr, index_type, base, value_type);
}

cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* matrix, int64_t block_rows,
                                   int64_t block_columns, int64_t blocks, int64_t rows_in_block,
                                   int64_t columns_in_block, void* row_offsets,
                                   void* column_indices, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType value_type,
                                   cusparseOrder_t order) {
  return create_blocks(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_BSR, block_rows, block_columns, blocks, row_offsets,
                    column_indices, values, offset_type, index_type, base, value_type),
      rows_in_block, columns_in_block, order);
}

cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t* matrix, int64_t block_rows,
                                        int64_t block_columns, int64_t blocks,
                                        int64_t rows_in_block, int64_t columns_in_block,
                                        const void* row_offsets, const void* column_indices,
                                        const void* values, cusparseIndexType_t offset_type,
                                        cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                        cudaDataType value_type, cusparseOrder_t order) {
  return create_blocks(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_BSR, block_rows, block_columns, blocks, row_offsets,
                    column_indices, values, offset_type, index_type, base, value_type),
      rows_in_block, columns_in_block, order);
}

cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* matrix, int64_t rows,
                                          int64_t columns, int64_t block_size, int64_t ell_columns,
                                          void* column_indices, void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType value_type) {
  return create_blocked_ell(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, 0, nullptr, column_indices, values,
                    index_type, index_type, base, value_type),
      block_size, ell_columns);
}

cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                       int64_t* block_size, int64_t* ell_columns,
                                       void** column_indices, void** values,
                                       cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                       cudaDataType* value_type) {
  return get_blocked_ell(matrix, rows, columns, block_size, ell_columns, column_indices, values,
                         index_type, base, value_type);
}

cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                               int64_t columns, int64_t block_size,
                                               int64_t ell_columns, const void* column_indices,
                                               const void* values, cusparseIndexType_t index_type,
                                               cusparseIndexBase_t base, cudaDataType value_type) {
  return create_blocked_ell(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, 0, nullptr, column_indices, values,
                    index_type, index_type, base, value_type),
      block_size, ell_columns);
}

cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                            int64_t* columns, int64_t* block_size,
                                            int64_t* ell_columns, const void** column_indices,
                                            const void** values, cusparseIndexType_t* index_type,
                                            cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_blocked_ell(matrix, rows, columns, block_size, ell_columns, column_indices, values,
                         index_type, base, value_type);
}

cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* matrix, int64_t rows,
                                         int64_t columns, int64_t nnz, int64_t stored,
                                         int64_t slice_rows, void* slice_offsets,
                                         void* column_indices, void* values,
                                         cusparseIndexType_t offset_type,
                                         cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                         cudaDataType value_type) {
  return create_slices(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_SLICED_ELLPACK, rows, columns, stored, slice_offsets,
                    column_indices, values, offset_type, index_type, base, value_type),
      nnz, slice_rows);
}

cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* matrix, int64_t rows,
                                              int64_t columns, int64_t nnz, int64_t stored,
                                              int64_t slice_rows, const void* slice_offsets,
                                              const void* column_indices, const void* values,
                                              cusparseIndexType_t offset_type,
                                              cusparseIndexType_t index_type,
                                              cusparseIndexBase_t base, cudaDataType value_type) {
  return create_slices(
      __func__, matrix,
      sparse_matrix(CUSPARSE_FORMAT_SLICED_ELLPACK, rows, columns, stored, slice_offsets,
                    column_indices, values, offset_type, index_type, base, value_type),
      nnz, slice_rows);
}
