// cuSPARSE: conversions of sparse to dense matrices and of dense to sparse matrices.
#include "common/core.h"
#include "cusparse/matrices.h"

using namespace cudacpu::sparse;

namespace {

template <typename A, typename B>
cusparseStatus_t check_conversion(cusparseHandle_t handle, const A* a, const B* b) {
  if (const auto error =
          check(handle, is_live(a) && is_live(b) && a->rows == b->rows && a->columns == b->columns))
    return error;
  return a->type == b->type ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

template <typename V>
void convert_to_dense(Call& call, const cusparseSpMatDescr& a, const cusparseDnMatDescr& b) {
  const Sparse<V> in = read_matrix<V>(call, a);
  Dense<V> out(b.rows, b.columns);
  if (!call.valid) return;
  in.for_each([&](int64_t row, int64_t column, int64_t i) { out.row(row)[column] = in.value[i]; });
  write_matrix(call, b, out);
}

// The elements other than 0, in the order in which the format stores them.
template <typename V>
Sparse<V> find_entries(const Dense<V>& a) {
  Sparse<V> entries;
  entries.rows = a.rows;
  entries.columns = a.columns;
  entries.offsets = {0};
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.columns; ++j) {
      if (a.row(i)[j] == V(0)) continue;
      entries.place.push_back(entries.size());
      entries.column.push_back(j);
      entries.value.push_back(a.row(i)[j]);
    }
    entries.offsets.push_back(entries.size());
  }
  return entries;
}

// The lines of CSC are the columns.
template <typename V>
Sparse<V> read_entries_of(Call& call, const cusparseDnMatDescr& a, cusparseFormat_t format) {
  const bool by_column = format == CUSPARSE_FORMAT_CSC;
  return find_entries(read_matrix<V>(
      call, a, by_column ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE));
}

bool has_offsets(const cusparseSpMatDescr& matrix) {
  return matrix.format == CUSPARSE_FORMAT_CSR || matrix.format == CUSPARSE_FORMAT_CSC;
}

template <typename V>
void convert_to_sparse(Call& call, const cusparseDnMatDescr& a, const cusparseSpMatDescr& b) {
  if (b.format == CUSPARSE_FORMAT_BLOCKED_ELL) {
    const Pattern pattern = read_pattern(call, b);
    const Dense<V> in = read_matrix<V>(call, a);
    std::vector<V> values(pattern.column.size());
    pattern.for_each(
        [&](int64_t row, int64_t column, int64_t i) { values[i] = in.row(row)[column]; });
    return write_entries(call, b, pattern, values);
  }
  const Sparse<V> entries = read_entries_of<V>(call, a, b.format);
  if (!call.valid) return;
  if (entries.size() != b.nnz) {
    cudacpu::explain(
        "%s: the dense matrix has %lld elements that are not 0, but the sparse one %lld", call.name,
        static_cast<long long>(entries.size()), static_cast<long long>(b.nnz));
    call.valid = false;
    return;
  }
  if (has_offsets(b)) {
    write_indices(call, b.offsets, b.offset_type, entries.offsets, b.base, "offsets of a matrix");
  } else {
    Indices row;
    entries.for_each([&](int64_t i, int64_t, int64_t) { row.push_back(i); });
    write_indices(call, b.offsets, b.index_type, row, b.base, "row indices of a matrix");
  }
  write_indices(call, b.indices, b.index_type, entries.column, b.base, "indices of a matrix");
  write_values(call, b.values, b.type, entries.value, "values of a matrix");
}

cusparseStatus_t check_to_sparse(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                 cusparseSpMatDescr_t b, const char* name) {
  if (const auto error = check_conversion(handle, a, b)) return error;
  if (has_offsets(*b) || b->format == CUSPARSE_FORMAT_COO ||
      b->format == CUSPARSE_FORMAT_BLOCKED_ELL)
    return CUSPARSE_STATUS_SUCCESS;
  cudacpu::explain("%s: cuSPARSE makes CSR, CSC, COO and Blocked-ELL of a dense matrix", name);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

}  // namespace

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b,
                                                  cusparseSparseToDenseAlg_t, size_t* bytes) {
  if (const auto error = check_conversion(handle, a, b)) return error;
  return buffer_size(handle, bytes);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void*) {
  if (const auto error = check_conversion(handle, a, b)) return error;
  return run(handle, __func__, [in = *a, out = *b](Call& call) {
    with_numbers(is_complex(in.type),
                 [&](auto number) { convert_to_dense<decltype(number)>(call, in, out); });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b,
                                                  cusparseDenseToSparseAlg_t, size_t* bytes) {
  if (const auto error = check_to_sparse(handle, a, b, __func__)) return error;
  return buffer_size(handle, bytes);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t, void*) {
  if (const auto error = check_to_sparse(handle, a, b, __func__)) return error;
  if (b->format == CUSPARSE_FORMAT_BLOCKED_ELL) return CUSPARSE_STATUS_SUCCESS;
  return run_and_wait(handle, __func__, [in = *a, b](Call& call) {
    if (!is_live(b)) return;  // destroyed while the stream was captured
    const Sparse<Complex> entries = read_entries_of<Complex>(call, in, b->format);
    if (!call.valid) return;
    b->nnz = entries.size();
    if (has_offsets(*b) && b->offsets)
      write_indices(call, b->offsets, b->offset_type, entries.offsets, b->base,
                    "offsets of a matrix");
  });
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                               void*) {
  if (const auto error = check_to_sparse(handle, a, b, __func__)) return error;
  return run(handle, __func__, [in = *a, out = *b](Call& call) {
    with_numbers(is_complex(in.type),
                 [&](auto number) { convert_to_sparse<decltype(number)>(call, in, out); });
  });
}
