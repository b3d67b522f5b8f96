// cuSPARSE: functions that change how a sparse matrix is stored, and sums of two sparse matrices.
#include <algorithm>
#include <numeric>

#include "cusparse/matrices.h"

using namespace cudacpu::sparse;

namespace {

// The offsets of lines, from the sorted line indices of the entries.
Indices offsets_of(const Indices& line, int64_t lines) {
  Indices offsets(static_cast<size_t>(lines) + 1);
  for (const int64_t i : line)
    ++offsets[i + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

// Brings entries into the order of `first`, and of `second` where `first` is equal.
void sort_entries(Call& call, int* first, int* second, int* permutation, int64_t nnz) {
  const Indices major = read_indices(call, first, nnz, 0, "indices of a matrix");
  const Indices minor = read_indices(call, second, nnz, 0, "indices of a matrix");
  Indices moved;
  if (permutation) moved = read_indices(call, permutation, nnz, 0, "permutation");
  if (!call.valid) return;
  Indices order(major.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    return major[i] != major[j] ? major[i] < major[j] : minor[i] < minor[j];
  });
  const auto write = [&](int* to, const Indices& from, const char* role) {
    Indices sorted;
    for (const int64_t i : order)
      sorted.push_back(from[i]);
    write_indices(call, to, sorted, 0, role);
  };
  write(first, major, "indices of a matrix");
  write(second, minor, "indices of a matrix");
  if (permutation) write(permutation, moved, "permutation");
}

// Sorts the entries of each line, which are rows of CSR or columns of CSC.
cusparseStatus_t sort_lines(cusparseHandle_t handle, const char* name, int lines, int others,
                            int nnz, const cusparseMatDescr_t descriptor, const int* offsets,
                            int* indices, int* permutation) {
  if (const auto error =
          check(handle, lines >= 0 && others >= 0 && nnz >= 0 && is_live(descriptor)))
    return error;
  const auto matrix =
      compressed_rows(descriptor, lines, others, nnz, nullptr, CUDA_R_32F, offsets, indices);
  return run(handle, name, [=](Call& call) {
    Pattern pattern = read_pattern(call, matrix);
    if (!call.valid) return;
    sort_rows(pattern);
    if (permutation) {
      const Indices before = read_indices(call, permutation, pattern.size(), 0, "permutation");
      if (!call.valid) return;
      Indices after;
      for (const int64_t i : pattern.place)
        after.push_back(before[i]);
      write_indices(call, permutation, after, 0, "permutation");
    }
    write_indices(call, indices, pattern.column, matrix.base, "indices of a matrix");
  });
}

cusparseStatus_t sort_coordinates(cusparseHandle_t handle, const char* name, int nnz, int* first,
                                  int* second, int* permutation) {
  if (const auto error = check(handle, nnz >= 0)) return error;
  return run(handle, name,
             [=](Call& call) { sort_entries(call, first, second, permutation, nnz); });
}

cusparseStatus_t count_nonzero(cusparseHandle_t handle, const char* name,
                               cusparseDirection_t direction, int m, int n, const void* values,
                               cudaDataType type, int ld, int* per_line, int* total) {
  if (const auto error =
          check(handle, m >= 0 && n >= 0 && ld >= std::max(1, m) && per_line && total))
    return error;
  const cusparseDnMatDescr matrix{m, n, ld, const_cast<void*>(values), type, CUSPARSE_ORDER_COL};
  const IntResult result(handle, total);
  const auto count = [=](Call& call) {
    const Dense<Complex> all = read_matrix<Complex>(call, matrix);
    const bool by_row = direction == CUSPARSE_DIRECTION_ROW;
    Indices counts(static_cast<size_t>(by_row ? m : n));
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j)
        counts[by_row ? i : j] += all.row(i)[j] != Complex(0);
    }
    write_indices(call, per_line, counts, 0, "numbers of elements");
    result.put(call, std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  };
  return result.on_device ? run(handle, name, count) : run_and_wait(handle, name, count);
}

// Calls function(column, i, j) for each entry of a row of A + B: entry i of A and entry j of B,
// either -1 if missing. The rows of both are sorted.
template <typename Function>
void merge_row(const Pattern& a, const Pattern& b, int64_t row, Function function) {
  int64_t i = a.offsets[row], j = b.offsets[row];
  while (i < a.offsets[row + 1] || j < b.offsets[row + 1]) {
    const int64_t in_a = i < a.offsets[row + 1] ? a.column[i] : a.columns;
    const int64_t in_b = j < b.offsets[row + 1] ? b.column[j] : b.columns;
    function(std::min(in_a, in_b), in_a <= in_b ? i : -1, in_b <= in_a ? j : -1);
    i += in_a <= in_b;
    j += in_b <= in_a;
  }
}

Pattern read_sorted(Call& call, const cusparseSpMatDescr& matrix) {
  Pattern pattern = read_pattern(call, matrix);
  sort_rows(pattern);
  return pattern;
}

cusparseStatus_t count_sum(cusparseHandle_t handle, const char* name, const cusparseSpMatDescr& a,
                           const cusparseSpMatDescr& b, int64_t base, int* row_offsets,
                           int* total) {
  const IntResult result(handle, total);
  const auto count = [=](Call& call) {
    const Pattern left = read_sorted(call, a), right = read_sorted(call, b);
    if (!call.valid) return;
    Indices offsets{0};
    int64_t entries = 0;
    for (int64_t row = 0; row < left.rows; ++row) {
      merge_row(left, right, row, [&](int64_t, int64_t, int64_t) { ++entries; });
      offsets.push_back(entries);
    }
    write_indices(call, row_offsets, offsets, base, "offsets of a matrix");
    if (total) result.put(call, entries);
  };
  return result.on_device ? run(handle, name, count) : run_and_wait(handle, name, count);
}

// The offsets of C come from count_sum().
cusparseStatus_t add_matrices(cusparseHandle_t handle, const char* name, const void* alpha,
                              const cusparseSpMatDescr& a, const void* beta,
                              const cusparseSpMatDescr& b, int64_t base, void* values,
                              const int* row_offsets, int* column_indices) {
  if (!alpha || !beta) return CUSPARSE_STATUS_INVALID_VALUE;
  return run(handle, name,
             [=, left_factor = Factor(handle, alpha, a.type),
              right_factor = Factor(handle, beta, a.type)](Call& call) {
               with_numbers(is_complex(a.type), [&](auto number) {
                 using V = decltype(number);
                 const V f = left_factor.get<V>(call), g = right_factor.get<V>(call);
                 const Pattern left = read_sorted(call, a), right = read_sorted(call, b);
                 const std::vector<V> x = read_entries<V>(call, a, left);
                 const std::vector<V> y = read_entries<V>(call, b, right);
                 read_indices(call, row_offsets, a.rows + 1, base, "offsets of a matrix");
                 if (!call.valid) return;
                 Indices columns;
                 std::vector<V> sums;
                 for (int64_t row = 0; row < left.rows; ++row) {
                   merge_row(left, right, row, [&](int64_t column, int64_t i, int64_t j) {
                     columns.push_back(column);
                     sums.push_back((i < 0 ? V(0) : f * x[i]) + (j < 0 ? V(0) : g * y[j]));
                   });
                 }
                 write_indices(call, column_indices, columns, base, "indices of a matrix");
                 write_values(call, values, a.type, sums, "values of a matrix");
               });
             });
}

cusparseStatus_t check_sum(cusparseHandle_t handle, int m, int n, int nnz_a, int nnz_b,
                           const cusparseMatDescr* a, const cusparseMatDescr* b,
                           const cusparseMatDescr* c) {
  return check(handle, m >= 0 && n >= 0 && nnz_a >= 0 && nnz_b >= 0 && is_live(a) && is_live(b) &&
                           is_live(c));
}

}  // namespace

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* row_indices, int nnz, int m,
                                  int* row_offsets, cusparseIndexBase_t base) {
  if (const auto error = check(handle, nnz >= 0 && m >= 0)) return error;
  return run(handle, __func__, [=](Call& call) {
    const Indices rows = read_indices(call, row_indices, nnz, base, "row indices of a matrix");
    if (!check_indices(call, rows, m, "row indices of a matrix")) return;
    write_indices(call, row_offsets, offsets_of(rows, m), base, "offsets of a matrix");
  });
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* row_offsets, int nnz, int m,
                                  int* row_indices, cusparseIndexBase_t base) {
  if (const auto error = check(handle, nnz >= 0 && m >= 0)) return error;
  return run(handle, __func__, [=](Call& call) {
    const Indices offsets = read_indices(call, row_offsets, m + 1, base, "offsets of a matrix");
    if (!check_offsets(call, offsets, nnz)) return;
    Indices rows;
    for (int row = 0; row < m; ++row)
      rows.insert(rows.end(), static_cast<size_t>(offsets[row + 1] - offsets[row]), row);
    write_indices(call, row_indices, rows, base, "row indices of a matrix");
  });
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void*, const int*, const int*, void*, int*,
                                               int*, cudaDataType, cusparseAction_t,
                                               cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                               size_t* bytes) {
  return buffer_size(handle, bytes, m >= 0 && n >= 0 && nnz >= 0);
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void* csr_values, const int* csr_row_offsets,
                                    const int* csr_columns, void* csc_values,
                                    int* csc_column_offsets, int* csc_rows, cudaDataType value_type,
                                    cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t, void*) {
  if (const auto error = check(handle, m >= 0 && n >= 0 && nnz >= 0)) return error;
  if (const auto error = check_value_type(__func__, value_type)) return error;
  cusparseMatDescr descriptor;
  descriptor.base = base;
  const auto matrix =
      compressed_rows(&descriptor, m, n, nnz, csr_values, value_type, csr_row_offsets, csr_columns);
  return run(handle, __func__, [=](Call& call) {
    const Pattern pattern = transposed(read_pattern(call, matrix));
    if (!call.valid) return;
    if (action == CUSPARSE_ACTION_NUMERIC) {
      const std::vector<Complex> values = read_entries<Complex>(call, matrix, pattern);
      write_values(call, csc_values, value_type, values, "values of a matrix");
    }
    write_indices(call, csc_column_offsets, pattern.offsets, base, "offsets of a matrix");
    write_indices(call, csc_rows, pattern.column, base, "indices of a matrix");
  });
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n,
                                                   int* permutation) {
  if (const auto error = check(handle, n >= 0)) return error;
  return run(handle, __func__, [=](Call& call) {
    Indices all(static_cast<size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    write_indices(call, permutation, all, 0, "permutation");
  });
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int, int, int nnz,
                                                const int*, const int*, size_t* bytes) {
  return buffer_size(handle, bytes, nnz >= 0);
}

cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int, int, int nnz, int* row_indices,
                                       int* column_indices, int* permutation, void*) {
  return sort_coordinates(handle, __func__, nnz, row_indices, column_indices, permutation);
}

cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int, int, int nnz,
                                          int* row_indices, int* column_indices, int* permutation,
                                          void*) {
  return sort_coordinates(handle, __func__, nnz, column_indices, row_indices, permutation);
}

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int nnz,
                                                const int*, const int*, size_t* bytes) {
  return buffer_size(handle, bytes, nnz >= 0);
}

cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descriptor, const int* row_offsets,
                                  int* column_indices, int* permutation, void*) {
  return sort_lines(handle, __func__, m, n, nnz, descriptor, row_offsets, column_indices,
                    permutation);
}

cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int, int, int nnz,
                                                const int*, const int*, size_t* bytes) {
  return buffer_size(handle, bytes, nnz >= 0);
}

cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descriptor, const int* column_offsets,
                                  int* row_indices, int* permutation, void*) {
  return sort_lines(handle, __func__, n, m, nnz, descriptor, column_offsets, row_indices,
                    permutation);
}

#define COUNT_NONZERO(L, T, type)                                                                  \
  cusparseStatus_t cusparse##L##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, \
                                    int n, const cusparseMatDescr_t, const T* values, int ld,      \
                                    int* per_line, int* total) {                                   \
    return count_nonzero(handle, __func__, direction, m, n, values, type, ld, per_line, total);    \
  }
COUNT_NONZERO(S, float, CUDA_R_32F)
COUNT_NONZERO(D, double, CUDA_R_64F)
COUNT_NONZERO(C, cuComplex, CUDA_C_32F)
COUNT_NONZERO(Z, cuDoubleComplex, CUDA_C_64F)
#undef COUNT_NONZERO

cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t descriptor_a, int nnz_a,
                                      const int* row_offsets_a, const int* column_indices_a,
                                      const cusparseMatDescr_t descriptor_b, int nnz_b,
                                      const int* row_offsets_b, const int* column_indices_b,
                                      const cusparseMatDescr_t descriptor_c, int* row_offsets_c,
                                      int* total, void*) {
  if (const auto error =
          check_sum(handle, m, n, nnz_a, nnz_b, descriptor_a, descriptor_b, descriptor_c))
    return error;
  return count_sum(handle, __func__,
                   compressed_rows(descriptor_a, m, n, nnz_a, nullptr, CUDA_R_32F, row_offsets_a,
                                   column_indices_a),
                   compressed_rows(descriptor_b, m, n, nnz_b, nullptr, CUDA_R_32F, row_offsets_b,
                                   column_indices_b),
                   descriptor_c->base, row_offsets_c, total);
}

#define ADD_MATRICES(L, T, type)                                                                  \
  cusparseStatus_t cusparse##L##csrgeam2_bufferSizeExt(                                           \
      cusparseHandle_t handle, int m, int n, const T*, const cusparseMatDescr_t descriptor_a,     \
      int nnz_a, const T*, const int*, const int*, const T*,                                      \
      const cusparseMatDescr_t descriptor_b, int nnz_b, const T*, const int*, const int*,         \
      const cusparseMatDescr_t descriptor_c, const T*, const int*, const int*, size_t* bytes) {   \
    if (const auto error =                                                                        \
            check_sum(handle, m, n, nnz_a, nnz_b, descriptor_a, descriptor_b, descriptor_c))      \
      return error;                                                                               \
    return buffer_size(handle, bytes);                                                            \
  }                                                                                               \
  cusparseStatus_t cusparse##L##csrgeam2(                                                         \
      cusparseHandle_t handle, int m, int n, const T* alpha,                                      \
      const cusparseMatDescr_t descriptor_a, int nnz_a, const T* values_a,                        \
      const int* row_offsets_a, const int* column_indices_a, const T* beta,                       \
      const cusparseMatDescr_t descriptor_b, int nnz_b, const T* values_b,                        \
      const int* row_offsets_b, const int* column_indices_b,                                      \
      const cusparseMatDescr_t descriptor_c, T* values_c, int* row_offsets_c,                     \
      int* column_indices_c, void*) {                                                             \
    if (const auto error =                                                                        \
            check_sum(handle, m, n, nnz_a, nnz_b, descriptor_a, descriptor_b, descriptor_c))      \
      return error;                                                                               \
    return add_matrices(handle, __func__, alpha,                                                  \
                        compressed_rows(descriptor_a, m, n, nnz_a, values_a, type, row_offsets_a, \
                                        column_indices_a),                                        \
                        beta,                                                                     \
                        compressed_rows(descriptor_b, m, n, nnz_b, values_b, type, row_offsets_b, \
                                        column_indices_b),                                        \
                        descriptor_c->base, values_c, row_offsets_c, column_indices_c);           \
  }
ADD_MATRICES(S, float, CUDA_R_32F)
ADD_MATRICES(D, double, CUDA_R_64F)
ADD_MATRICES(C, cuComplex, CUDA_C_32F)
ADD_MATRICES(Z, cuDoubleComplex, CUDA_C_64F)
#undef ADD_MATRICES
