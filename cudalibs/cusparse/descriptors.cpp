// cuSPARSE: descriptors of vectors and of dense matrices.
#include "cusparse/descriptors.h"

#include "common/core.h"
#include "cusparse/values.h"

using namespace cudacpu::sparse;

namespace cudacpu::sparse {

cusparseStatus_t check_value_type(const char* name, cudaDataType type) {
  if (bytes_of(type) != 0) return CUSPARSE_STATUS_SUCCESS;
  explain(
      "%s: the CPU device has float, double, __half, __nv_bfloat16, complex numbers, int8 and "
      "int32, not data type %d",
      name, static_cast<int>(type));
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

}  // namespace cudacpu::sparse

namespace {

// In the following functions Object may also be the const type of a descriptor.
template <typename Object>
cusparseStatus_t create_sparse_vector(const char* name, Object** vector, int64_t size, int64_t nnz,
                                      const void* indices, const void* values,
                                      cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                      cudaDataType type) {
  if (size < 0 || nnz < 0 || nnz > size) return CUSPARSE_STATUS_INVALID_VALUE;
  if (index_type == CUSPARSE_INDEX_16U) return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (const auto error = check_value_type(name, type)) return error;
  return create(vector, {size, nnz, const_cast<void*>(indices), const_cast<void*>(values),
                         index_type, base, type});
}

template <typename Object, typename Pointer>
cusparseStatus_t get_sparse_vector(Object* vector, int64_t* size, int64_t* nnz, Pointer* indices,
                                   Pointer* values, cusparseIndexType_t* index_type,
                                   cusparseIndexBase_t* base, cudaDataType* type) {
  return use(vector, [&](const cusparseSpVecDescr& x) {
    give(size, x.size);
    give(nnz, x.nnz);
    give(indices, x.indices);
    give(values, x.values);
    give(index_type, x.index_type);
    give(base, x.base);
    give(type, x.type);
  });
}

template <typename Object>
cusparseStatus_t create_dense_vector(const char* name, Object** vector, int64_t size,
                                     const void* values, cudaDataType type) {
  if (size < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (const auto error = check_value_type(name, type)) return error;
  return create(vector, {size, const_cast<void*>(values), type});
}

template <typename Object, typename Pointer>
cusparseStatus_t get_dense_vector(Object* vector, int64_t* size, Pointer* values,
                                  cudaDataType* type) {
  return use(vector, [&](const cusparseDnVecDescr& x) {
    give(size, x.size);
    give(values, x.values);
    give(type, x.type);
  });
}

template <typename Object>
cusparseStatus_t create_dense_matrix(const char* name, Object** matrix, int64_t rows,
                                     int64_t columns, int64_t ld, const void* values,
                                     cudaDataType type, cusparseOrder_t order) {
  if (rows < 0 || columns < 0 || ld < (order == CUSPARSE_ORDER_ROW ? columns : rows))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (const auto error = check_value_type(name, type)) return error;
  return create(matrix, {rows, columns, ld, const_cast<void*>(values), type, order});
}

template <typename Object, typename Pointer>
cusparseStatus_t get_dense_matrix(Object* matrix, int64_t* rows, int64_t* columns, int64_t* ld,
                                  Pointer* values, cudaDataType* type, cusparseOrder_t* order) {
  return use(matrix, [&](const cusparseDnMatDescr& a) {
    give(rows, a.rows);
    give(columns, a.columns);
    give(ld, a.ld);
    give(values, a.values);
    give(type, a.type);
    give(order, a.order);
  });
}

}  // namespace

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                     void* indices, void* values, cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base, cudaDataType value_type) {
  return create_sparse_vector(__func__, vector, size, nnz, indices, values, index_type, base,
                              value_type);
}

cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t* size, int64_t* nnz,
                                  void** indices, void** values, cusparseIndexType_t* index_type,
                                  cusparseIndexBase_t* base, cudaDataType* value_type) {
  return get_sparse_vector(vector, size, nnz, indices, values, index_type, base, value_type);
}

cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t vector, void** values) {
  return get_values(vector, values);
}

cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* vector, int64_t size,
                                          int64_t nnz, const void* indices, const void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType value_type) {
  return create_sparse_vector(__func__, vector, size, nnz, indices, values, index_type, base,
                              value_type);
}

cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t vector, int64_t* size,
                                       int64_t* nnz, const void** indices, const void** values,
                                       cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                       cudaDataType* value_type) {
  return get_sparse_vector(vector, size, nnz, indices, values, index_type, base, value_type);
}

cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t vector,
                                             const void** values) {
  return get_values(vector, values);
}

cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
  return destroy(vector);
}

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector,
                                           cusparseIndexBase_t* base) {
  return use(vector, [&](const cusparseSpVecDescr& x) { give(base, x.base); });
}

cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values) {
  return set_values(vector, values);
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values,
                                     cudaDataType value_type) {
  return create_dense_vector(__func__, vector, size, values, value_type);
}

cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values,
                                  cudaDataType* value_type) {
  return get_dense_vector(vector, size, values, value_type);
}

cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
  return get_values(vector, values);
}

cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size,
                                          const void* values, cudaDataType value_type) {
  return create_dense_vector(__func__, vector, size, values, value_type);
}

cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t vector, int64_t* size,
                                       const void** values, cudaDataType* value_type) {
  return get_dense_vector(vector, size, values, value_type);
}

cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t vector,
                                             const void** values) {
  return get_values(vector, values);
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return destroy(vector);
}

cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return set_values(vector, values);
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                     int64_t ld, void* values, cudaDataType value_type,
                                     cusparseOrder_t order) {
  return create_dense_matrix(__func__, matrix, rows, columns, ld, values, value_type, order);
}

cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t* rows, int64_t* columns,
                                  int64_t* ld, void** values, cudaDataType* type,
                                  cusparseOrder_t* order) {
  return get_dense_matrix(matrix, rows, columns, ld, values, type, order);
}

cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
  return get_values(matrix, values);
}

cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows,
                                          int64_t columns, int64_t ld, const void* values,
                                          cudaDataType value_type, cusparseOrder_t order) {
  return create_dense_matrix(__func__, matrix, rows, columns, ld, values, value_type, order);
}

cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t matrix, int64_t* rows,
                                       int64_t* columns, int64_t* ld, const void** values,
                                       cudaDataType* type, cusparseOrder_t* order) {
  return get_dense_matrix(matrix, rows, columns, ld, values, type, order);
}

cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t matrix,
                                             const void** values) {
  return get_values(matrix, values);
}

cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return destroy(matrix);
}

cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return set_values(matrix, values);
}

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count,
                                              int64_t stride) {
  if (count < 1 || stride < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return use(matrix, [&](cusparseDnMatDescr& a) {
    a.count = count;
    a.stride = stride;
  });
}

cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count,
                                              int64_t* stride) {
  return use(matrix, [&](const cusparseDnMatDescr& a) {
    give(count, a.count);
    give(stride, a.stride);
  });
}
