// cuSPARSE: incomplete decompositions without new entries, LU and Cholesky.
#include <algorithm>
#include <cmath>
#include <memory>

#include "cusparse/matrices.h"

namespace cudacpu::sparse {

// Work in a stream uses its Pivots, even after the handle is destroyed.
struct Pivots {
  int64_t first_zero = -1;  // the first row whose pivot is missing or 0
  int64_t base = 0;
};

struct Decomposition {
  std::shared_ptr<Pivots> pivots = std::make_shared<Pivots>();
  // Pivots up to `tolerance` are replaced.
  bool replaces = false;
  double tolerance = 0;
  Complex replacement;
};

}  // namespace cudacpu::sparse

using namespace cudacpu::sparse;

struct csrilu02Info : Decomposition {};
struct csric02Info : Decomposition {};

namespace {

// The place of a row's entry with the column, or -1. Rows are sorted.
int64_t find(const Pattern& a, int64_t row, int64_t column) {
  const auto begin = a.column.begin() + a.offsets[row], end = a.column.begin() + a.offsets[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? found - a.column.begin() : -1;
}

void note_zero(Pivots& pivots, int64_t row) {
  if (pivots.first_zero < 0 || row < pivots.first_zero) pivots.first_zero = row;
}

// A = L U, where L has a diagonal of ones.
template <typename V>
void decompose_lu(Sparse<V>& a, const Decomposition& how, Pivots& pivots) {
  for (int64_t row = 0; row < a.rows; ++row) {
    for (int64_t i = a.offsets[row]; i < a.offsets[row + 1] && a.column[i] < row; ++i) {
      const int64_t k = a.column[i], pivot = find(a, k, k);
      if (pivot < 0) continue;
      a.value[i] /= a.value[pivot];
      for (int64_t j = pivot + 1; j < a.offsets[k + 1]; ++j) {
        const int64_t changed = find(a, row, a.column[j]);
        if (changed >= 0) a.value[changed] -= a.value[i] * a.value[j];
      }
    }
    const int64_t pivot = find(a, row, row);
    if (pivot >= 0 && how.replaces && std::abs(a.value[pivot]) <= how.tolerance) {
      if constexpr (std::is_same_v<V, double>)
        a.value[pivot] = how.replacement.real();
      else
        a.value[pivot] = how.replacement;
    }
    if (pivot < 0 || a.value[pivot] == V(0)) note_zero(pivots, row);
  }
}

// A = L L', of which only the lower triangle is read and written.
template <typename V>
void decompose_cholesky(Sparse<V>& a, const Decomposition&, Pivots& pivots) {
  for (int64_t row = 0; row < a.rows; ++row) {
    bool has_pivot = false;
    for (int64_t i = a.offsets[row]; i < a.offsets[row + 1] && a.column[i] <= row; ++i) {
      const int64_t k = a.column[i];
      V sum = a.value[i];
      for (int64_t j = a.offsets[row]; j < i; ++j) {
        const int64_t other = find(a, k, a.column[j]);
        if (other >= 0) sum -= a.value[j] * conjugate(a.value[other]);
      }
      if (k < row) {
        const int64_t pivot = find(a, k, k);
        a.value[i] = pivot < 0 ? sum : sum / a.value[pivot];
      } else {
        has_pivot = std::real(sum) > 0;
        a.value[i] = std::sqrt(std::real(sum));
      }
    }
    if (!has_pivot) note_zero(pivots, row);
  }
}

// Before the decomposition, only missing pivots can be found.
template <typename Info>
cusparseStatus_t analyse_pivots(cusparseHandle_t handle, const char* name,
                                const cusparseSpMatDescr& matrix, Info* info) {
  return run(handle, name, [matrix, pivots = info->pivots](Call& call) {
    Pattern pattern = read_pattern(call, matrix);
    sort_rows(pattern);
    *pivots = {-1, matrix.base};
    for (int64_t row = 0; call.valid && row < pattern.rows; ++row)
      if (find(pattern, row, row) < 0) note_zero(*pivots, row);
  });
}

template <typename Info, typename Function>
cusparseStatus_t decompose(cusparseHandle_t handle, const char* name,
                           const cusparseSpMatDescr& matrix, Info* info, Function function) {
  return run(handle, name, [matrix, function, how = Decomposition(*info)](Call& call) {
    with_numbers(is_complex(matrix.type), [&](auto number) {
      using V = decltype(number);
      Sparse<V> a;
      static_cast<Pattern&>(a) = read_pattern(call, matrix);
      sort_rows(a);
      a.value = read_entries<V>(call, matrix, a);
      if (!call.valid) return;
      *how.pivots = {-1, matrix.base};
      function(a, how, *how.pivots);
      write_entries(call, matrix, a, a.value);
    });
  });
}

const auto kLu = [](auto& a, const Decomposition& how, Pivots& pivots) {
  decompose_lu(a, how, pivots);
};
const auto kCholesky = [](auto& a, const Decomposition& how, Pivots& pivots) {
  decompose_cholesky(a, how, pivots);
};

template <typename Info>
cusparseStatus_t zero_pivot(cusparseHandle_t handle, const char* name, Info* info, int* position) {
  if (const auto error = check(handle, is_live(info) && position)) return error;
  const IntResult result(handle, position);
  const auto pivots = info->pivots;
  const cusparseStatus_t status = run_and_wait(handle, name, [=](Call& call) {
    const bool found = pivots->first_zero >= 0;
    result.put(call, found ? pivots->first_zero + pivots->base : -1);
  });
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return pivots->first_zero >= 0 ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS;
}

template <typename Info>
cusparseStatus_t check_square(cusparseHandle_t handle, int m, int nnz,
                              const cusparseMatDescr* descriptor, const Info* info) {
  return check(handle, m >= 0 && nnz >= 0 && is_live(descriptor) && is_live(info));
}

}  // namespace

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  return create(info);
}

cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  return destroy(info);
}

cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position) {
  return zero_pivot(handle, __func__, info, position);
}

cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info) {
  return create(info);
}

cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) {
  return destroy(info);
}

cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int* position) {
  return zero_pivot(handle, __func__, info, position);
}

#define DECOMPOSE(name, Info, L, T, type, function)                                               \
  cusparseStatus_t cusparse##L##name##_bufferSize(                                                \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T*,           \
      const int*, const int*, Info* info, int* bytes) {                                           \
    if (const auto error = check_square(handle, m, nnz, descriptor, info)) return error;          \
    return buffer_size(handle, bytes);                                                            \
  }                                                                                               \
  cusparseStatus_t cusparse##L##name##_bufferSizeExt(                                             \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T*,           \
      const int*, const int*, Info* info, size_t* bytes) {                                        \
    if (const auto error = check_square(handle, m, nnz, descriptor, info)) return error;          \
    return buffer_size(handle, bytes);                                                            \
  }                                                                                               \
  cusparseStatus_t cusparse##L##name##_analysis(                                                  \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor,               \
      const T* values, const int* row_offsets, const int* column_indices, Info* info,             \
      cusparseSolvePolicy_t, void*) {                                                             \
    if (const auto error = check_square(handle, m, nnz, descriptor, info)) return error;          \
    return analyse_pivots(                                                                        \
        handle, __func__,                                                                         \
        compressed_rows(descriptor, m, m, nnz, values, type, row_offsets, column_indices), info); \
  }                                                                                               \
  cusparseStatus_t cusparse##L##name(cusparseHandle_t handle, int m, int nnz,                     \
                                     const cusparseMatDescr_t descriptor, T* values,              \
                                     const int* row_offsets, const int* column_indices,           \
                                     Info* info, cusparseSolvePolicy_t, void*) {                  \
    if (const auto error = check_square(handle, m, nnz, descriptor, info)) return error;          \
    return decompose(                                                                             \
        handle, __func__,                                                                         \
        compressed_rows(descriptor, m, m, nnz, values, type, row_offsets, column_indices), info,  \
        function);                                                                                \
  }
#define DECOMPOSITIONS(L, T, type)                                                             \
  cusparseStatus_t cusparse##L##csrilu02_numericBoost(                                         \
      cusparseHandle_t handle, csrilu02Info_t info, int enable, double* tolerance, T* value) { \
    if (const auto error = check(handle, is_live(info) && (!enable || (tolerance && value))))  \
      return error;                                                                            \
    info->replaces = enable != 0;                                                              \
    if (!enable) return CUSPARSE_STATUS_SUCCESS;                                               \
    info->tolerance = *tolerance;                                                              \
    info->replacement = load<Complex>(value, type, 1)[0];                                      \
    return CUSPARSE_STATUS_SUCCESS;                                                            \
  }                                                                                            \
  DECOMPOSE(csrilu02, csrilu02Info, L, T, type, kLu)                                           \
  DECOMPOSE(csric02, csric02Info, L, T, type, kCholesky)
DECOMPOSITIONS(S, float, CUDA_R_32F)
DECOMPOSITIONS(D, double, CUDA_R_64F)
DECOMPOSITIONS(C, cuComplex, CUDA_C_32F)
DECOMPOSITIONS(Z, cuDoubleComplex, CUDA_C_64F)
#undef DECOMPOSITIONS
#undef DECOMPOSE
