// cuSPARSE: systems of equations with a sparse triangular matrix, for one right side (SpSV) and for
// several (SpSM).
#include <algorithm>
#include <memory>

#include "common/core.h"
#include "cusparse/matrices.h"

namespace cudacpu::sparse {

// The result of an analysis. Work in a stream uses an Analysis even after the descriptor is
// destroyed.
struct Analysis {
  cudaDataType type;
  cusparseFillMode_t fill_mode;
  cusparseDiagType_t diagonal;
  Sparse<Complex> matrix;
};

}  // namespace cudacpu::sparse

using namespace cudacpu::sparse;

struct cusparseSpSVDescr {
  std::shared_ptr<Analysis> analysis;
};
struct cusparseSpSMDescr {
  std::shared_ptr<Analysis> analysis;
};

namespace {

bool is_square(cusparseConstSpMatDescr_t a) {
  return is_live(a) && a->rows == a->columns;
}

template <typename Solver>
cusparseStatus_t analyse(cusparseHandle_t handle, const char* name, cusparseConstSpMatDescr_t a,
                         Solver* solver) {
  const auto kept = std::make_shared<Analysis>();
  solver->analysis = kept;
  return run(handle, name, [kept, matrix = *a](Call& call) {
    kept->type = matrix.type;
    kept->fill_mode = matrix.fill_mode;
    kept->diagonal = matrix.diagonal;
    kept->matrix = read_matrix<Complex>(call, matrix);
  });
}

template <typename Solver>
cusparseStatus_t update(cusparseHandle_t handle, const char* name, Solver* solver,
                        const void* values, bool only_diagonal) {
  if (const auto error = check(handle, is_live(solver) && solver->analysis && values)) return error;
  return run(handle, name, [=, kept = solver->analysis](Call& call) {
    Sparse<Complex>& matrix = kept->matrix;
    Indices places = matrix.place;
    if (only_diagonal) {
      places.clear();
      for (int64_t row = 0; row < matrix.rows; ++row)
        places.push_back(row);
    }
    look_at_places(call, values, kept->type, places, "new values", true, false);
    if (!call.valid || places.empty()) return;
    const int64_t last = *std::max_element(places.begin(), places.end());
    const std::vector<Complex> all = load<Complex>(values, kept->type, last + 1);
    matrix.for_each([&](int64_t row, int64_t column, int64_t i) {
      if (!only_diagonal) matrix.value[i] = all[matrix.place[i]];
      if (only_diagonal && row == column) matrix.value[i] = all[row];
    });
  });
}

// A triangle of op(A): the entries next to the diagonal, which is stored apart.
template <typename V>
struct Triangle {
  Pattern pattern;
  std::vector<V> value, diagonal;
  bool is_lower;

  Triangle(const Analysis& kept, cusparseOperation_t op) {
    const bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool is_unit = kept.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
    is_lower = (kept.fill_mode == CUSPARSE_FILL_MODE_LOWER) == plain;
    diagonal.resize(static_cast<size_t>(kept.matrix.rows), V(is_unit ? 1 : 0));
    Pattern all = kept.matrix;
    for (int64_t i = 0; i < all.size(); ++i)
      all.place[i] = i;
    pattern = plain ? all : transposed(all);
    pattern.for_each([&](int64_t row, int64_t column, int64_t i) {
      Complex entry = kept.matrix.value[pattern.place[i]];
      if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) entry = conjugate(entry);
      V number;
      if constexpr (std::is_same_v<V, double>)
        number = entry.real();
      else
        number = entry;
      value.push_back(number);
      if (row == column && !is_unit) diagonal[row] += number;
    });
  }

  // Solves for all columns of the right sides, in place.
  void solve(Dense<V>& x) const {
    for (int64_t step = 0; step < x.rows; ++step) {
      const int64_t row = is_lower ? step : x.rows - 1 - step;
      V* const to = x.row(row);
      for (int64_t i = pattern.offsets[row]; i < pattern.offsets[row + 1]; ++i) {
        const int64_t column = pattern.column[i];
        if (is_lower ? column >= row : column <= row) continue;
        for (int64_t j = 0; j < x.columns; ++j)
          to[j] -= value[i] * x.row(column)[j];
      }
      for (int64_t j = 0; j < x.columns; ++j)
        to[j] /= diagonal[row];
    }
  }
};

// Solves op(A) C = alpha op(B); a vector is a matrix of one column.
cusparseStatus_t solve(cusparseHandle_t handle, const char* name, cusparseOperation_t op_a,
                       cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                       const cusparseDnMatDescr& b, const cusparseDnMatDescr& c,
                       cudaDataType compute_type, const std::shared_ptr<Analysis>& kept) {
  if (!kept) {
    cudacpu::explain("%s: there was no analysis with this descriptor", name);
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  if (!is_supported(name, a->type, b.type, c.type, compute_type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return run(handle, name,
             [=, matrix = *a, factor = Factor(handle, alpha, compute_type)](Call& call) {
               with_numbers(is_complex(compute_type), [&](auto number) {
                 using V = decltype(number);
                 const V f = factor.get<V>(call);
                 read_pattern(call, matrix);
                 Dense<V> x = read_matrix<V>(call, b, op_b);
                 if (!call.valid) return;
                 for (V& value : x.values)
                   value *= f;
                 Triangle<V>(*kept, op_a).solve(x);
                 write_matrix(call, c, x);
               });
             });
}

cusparseDnMatDescr one_column(const cusparseDnVecDescr& x) {
  return {x.size, 1, x.size, x.values, x.type, CUSPARSE_ORDER_COL};
}

cusparseStatus_t check_one_side(cusparseHandle_t handle, cusparseOperation_t op_a,
                                const void* alpha, cusparseConstSpMatDescr_t a,
                                cusparseConstDnVecDescr_t x, cusparseConstDnVecDescr_t y,
                                cusparseSpSVDescr_t solver) {
  return check(handle, alpha && is_square(a) && is_allowed(op_a, a->type) && is_live(x) &&
                           is_live(y) && is_live(solver) && x->size == a->rows &&
                           y->size == a->rows);
}

cusparseStatus_t check_sides(cusparseHandle_t handle, cusparseOperation_t op_a,
                             cusparseOperation_t op_b, const void* alpha,
                             cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                             cusparseConstDnMatDescr_t c, cusparseSpSMDescr_t solver) {
  return check(handle, alpha && is_square(a) && is_allowed(op_a, a->type) && is_live(b) &&
                           is_live(c) && is_live(solver) && rows_of(*b, op_b) == a->rows &&
                           c->rows == a->rows && columns_of(*b, op_b) == c->columns);
}

}  // namespace

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descriptor) {
  return create(descriptor);
}

cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor) {
  return destroy(descriptor);
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t solver, size_t* bytes) {
  if (const auto error = check_one_side(handle, op_a, alpha, a, x, y, solver)) return error;
  return buffer_size(handle, bytes);
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       const void* alpha, cusparseConstSpMatDescr_t a,
                                       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType, cusparseSpSVAlg_t, cusparseSpSVDescr_t solver,
                                       void*) {
  if (const auto error = check_one_side(handle, op_a, alpha, a, x, y, solver)) return error;
  if (!is_supported(__func__, a->format,
                    {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_SLICED_ELLPACK}))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return analyse(handle, __func__, a, solver);
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute_type, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t solver) {
  if (const auto error = check_one_side(handle, op_a, alpha, a, x, y, solver)) return error;
  return solve(handle, __func__, op_a, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, one_column(*x),
               one_column(*y), compute_type, solver->analysis);
}

cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t solver,
                                           void* values, cusparseSpSVUpdate_t part) {
  return update(handle, __func__, solver, values, part == CUSPARSE_SPSV_UPDATE_DIAGONAL);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descriptor) {
  return create(descriptor);
}

cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor) {
  return destroy(descriptor);
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t solver, size_t* bytes) {
  if (const auto error = check_sides(handle, op_a, op_b, alpha, a, b, c, solver)) return error;
  return buffer_size(handle, bytes);
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t op_a,
                                       cusparseOperation_t op_b, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t solver, void*) {
  if (const auto error = check_sides(handle, op_a, op_b, alpha, a, b, c, solver)) return error;
  if (!is_supported(__func__, a->format,
                    {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_SLICED_ELLPACK}))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return analyse(handle, __func__, a, solver);
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                    cusparseOperation_t op_b, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType compute_type,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t solver) {
  if (const auto error = check_sides(handle, op_a, op_b, alpha, a, b, c, solver)) return error;
  return solve(handle, __func__, op_a, op_b, alpha, a, *b, *c, compute_type, solver->analysis);
}

cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t handle, cusparseSpSMDescr_t solver,
                                           void* values, cusparseSpSMUpdate_t part) {
  return update(handle, __func__, solver, values, part == CUSPARSE_SPSM_UPDATE_DIAGONAL);
}
