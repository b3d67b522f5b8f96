// cuSPARSE: products of a sparse matrix with a dense vector or matrix, and of two dense matrices
// of which a sparse matrix says which elements are computed.
#include <algorithm>

#include "common/core.h"
#include "cusparse/matrices.h"

using namespace cudacpu::sparse;

namespace {

// What SpMV, SpMM and SDDMM have in common: op(A), op(B), factors, and the type of sums.
struct Product {
  cusparseOperation_t op_a, op_b;
  Factor alpha, beta;
  bool is_complex;
};

constexpr cusparseOperation_t kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;

// The sizes of op(A) and op(B) fit together, and to C.
template <typename A, typename B, typename C>
bool sizes_fit(const A& a, cusparseOperation_t op_a, const B& b, cusparseOperation_t op_b,
               const C& c) {
  return rows_of(a, op_a) == c.rows && columns_of(b, op_b) == c.columns &&
         columns_of(a, op_a) == rows_of(b, op_b);
}

template <typename V>
void multiply_vector(Call& call, const Product& product, const cusparseSpMatDescr& a,
                     const cusparseDnVecDescr& x, const cusparseDnVecDescr& y) {
  const V alpha = product.alpha.get<V>(call), beta = product.beta.get<V>(call);
  const Sparse<V> matrix = read_matrix<V>(call, a, product.op_a);
  const std::vector<V> in = read_values<V>(call, x.values, x.type, x.size, "vector x");
  std::vector<V> out(static_cast<size_t>(y.size));
  if (beta != V(0)) out = read_values<V>(call, y.values, y.type, y.size, "vector y");
  if (!call.valid) return;
  for (int64_t row = 0; row < matrix.rows; ++row) {
    V sum = 0;
    for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i)
      sum += matrix.value[i] * in[matrix.column[i]];
    out[row] = beta == V(0) ? alpha * sum : alpha * sum + beta * out[row];
  }
  write_values(call, y.values, y.type, out, "vector y");
}

template <typename V>
void multiply_matrix(Call& call, const Product& product, const cusparseSpMatDescr& a,
                     const cusparseDnMatDescr& b, const cusparseDnMatDescr& c) {
  const V alpha = product.alpha.get<V>(call), beta = product.beta.get<V>(call);
  const Sparse<V> left = read_matrix<V>(call, a, product.op_a);
  const Dense<V> right = read_matrix<V>(call, b, product.op_b);
  Dense<V> out(c.rows, c.columns);
  if (beta != V(0)) out = read_matrix<V>(call, c, kPlain);
  if (!call.valid) return;
  std::vector<V> sums(static_cast<size_t>(c.columns));
  for (int64_t row = 0; row < c.rows; ++row) {
    std::fill(sums.begin(), sums.end(), V(0));
    for (int64_t i = left.offsets[row]; i < left.offsets[row + 1]; ++i) {
      const V factor = left.value[i], *const from = right.row(left.column[i]);
      for (int64_t j = 0; j < c.columns; ++j)
        sums[j] += factor * from[j];
    }
    V* const to = out.row(row);
    for (int64_t j = 0; j < c.columns; ++j)
      to[j] = beta == V(0) ? alpha * sums[j] : alpha * sums[j] + beta * to[j];
  }
  write_matrix(call, c, out);
}

template <typename V>
void sample_product(Call& call, const Product& product, const cusparseDnMatDescr& a,
                    const cusparseDnMatDescr& b, const cusparseSpMatDescr& c) {
  const V alpha = product.alpha.get<V>(call), beta = product.beta.get<V>(call);
  const Dense<V> left = read_matrix<V>(call, a, product.op_a);
  const Dense<V> right = transposed(read_matrix<V>(call, b, product.op_b));
  const Pattern pattern = read_pattern(call, c);
  std::vector<V> out(pattern.column.size());
  if (beta != V(0)) out = read_entries<V>(call, c, pattern);
  if (!call.valid) return;
  pattern.for_each([&](int64_t row, int64_t column, int64_t i) {
    const V *const x = left.row(row), *const y = right.row(column);
    V sum = 0;
    for (int64_t k = 0; k < left.columns; ++k)
      sum += x[k] * y[k];
    out[i] = beta == V(0) ? alpha * sum : alpha * sum + beta * out[i];
  });
  write_entries(call, c, pattern, out);
}

// Sums of halves are in float; only products of Blocked-ELL may have sums in half precision.
bool is_half(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}

bool can_be_transposed(const char* name, cusparseOperation_t op_a, cusparseConstSpMatDescr_t a) {
  if (op_a == kPlain || a->format != CUSPARSE_FORMAT_BSR) return true;
  cudacpu::explain("%s: a matrix in BSR format is not transposed", name);
  return false;
}

bool has_vector_product(const char* name, cusparseOperation_t op_a, cusparseConstSpMatDescr_t a,
                        cusparseConstDnVecDescr_t x, cusparseConstDnVecDescr_t y,
                        cudaDataType compute_type) {
  return can_be_transposed(name, op_a, a) &&
         is_supported(name, a->format,
                      {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO,
                       CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_SLICED_ELLPACK}) &&
         is_supported(name, a->type, x->type, y->type, compute_type) && !is_half(compute_type);
}

bool has_matrix_product(const char* name, cusparseOperation_t op_a, cusparseConstSpMatDescr_t a,
                        cusparseConstDnMatDescr_t b, cusparseConstDnMatDescr_t c,
                        cudaDataType compute_type) {
  if (!can_be_transposed(name, op_a, a) ||
      !is_supported(name, a->format,
                    {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO,
                     CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_BLOCKED_ELL}) ||
      !is_supported(name, a->type, b->type, c->type, compute_type))
    return false;
  if (a->format != CUSPARSE_FORMAT_BLOCKED_ELL) return !is_half(compute_type);
  if (op_a == kPlain && !is_complex(b->type)) return true;
  cudacpu::explain("%s: a Blocked-ELL matrix is real, and not transposed", name);
  return false;
}

bool has_sampled_product(const char* name, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                         cusparseConstSpMatDescr_t c, cudaDataType compute_type) {
  return is_supported(name, c->format, {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_BSR}) &&
         is_supported(name, a->type, b->type, c->type, compute_type) && !is_half(compute_type);
}

cusparseStatus_t check_vectors(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                               const void* beta, cusparseConstDnVecDescr_t y) {
  return check(handle, is_live(a) && is_live(x) && is_live(y) && alpha && beta &&
                           is_allowed(op_a, a->type) && rows_of(*a, op_a) == y->size &&
                           columns_of(*a, op_a) == x->size);
}

template <typename A, typename C>
cusparseStatus_t check_matrices(cusparseHandle_t handle, cusparseOperation_t op_a,
                                cusparseOperation_t op_b, const void* alpha, const A* a,
                                cusparseConstDnMatDescr_t b, const void* beta, const C* c) {
  return check(handle, is_live(a) && is_live(b) && is_live(c) && alpha && beta &&
                           is_allowed(op_a, a->type) && is_allowed(op_b, b->type) &&
                           sizes_fit(*a, op_a, *b, op_b, *c) && a->count == c->count &&
                           b->count == c->count);
}

}  // namespace

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute_type,
                                         cusparseSpMVAlg_t, size_t* bytes) {
  if (const auto error = check_vectors(handle, op_a, alpha, a, x, beta, y)) return error;
  if (!has_vector_product(__func__, op_a, a, x, y, compute_type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return buffer_size(handle, bytes);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType, cusparseSpMVAlg_t,
                                         void*) {
  return check_vectors(handle, op_a, alpha, a, x, beta, y);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op_a, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              const void* beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
                              cusparseSpMVAlg_t, void*) {
  if (const auto error = check_vectors(handle, op_a, alpha, a, x, beta, y)) return error;
  if (!has_vector_product(__func__, op_a, a, x, y, compute_type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  const Product product{op_a, kPlain, Factor(handle, alpha, compute_type),
                        Factor(handle, beta, compute_type), is_complex(compute_type)};
  return run(handle, __func__, [product, matrix = *a, in = *x, out = *y](Call& call) {
    with_numbers(product.is_complex, [&](auto number) {
      multiply_vector<decltype(number)>(call, product, matrix, in, out);
    });
  });
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c,
                                         cudaDataType compute_type, cusparseSpMMAlg_t,
                                         size_t* bytes) {
  if (const auto error = check_matrices(handle, op_a, op_b, alpha, a, b, beta, c)) return error;
  if (!has_matrix_product(__func__, op_a, a, b, c, compute_type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return buffer_size(handle, bytes);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c, cudaDataType,
                                         cusparseSpMMAlg_t, void*) {
  return check_matrices(handle, op_a, op_b, alpha, a, b, beta, c);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                              cusparseOperation_t op_b, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute_type,
                              cusparseSpMMAlg_t, void*) {
  if (const auto error = check_matrices(handle, op_a, op_b, alpha, a, b, beta, c)) return error;
  if (!has_matrix_product(__func__, op_a, a, b, c, compute_type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  const Product product{op_a, op_b, Factor(handle, alpha, compute_type),
                        Factor(handle, beta, compute_type), is_complex(compute_type)};
  return run(handle, __func__, [product, left = *a, right = *b, out = *c](Call& call) {
    with_numbers(product.is_complex, [&](auto number) {
      for (int i = 0; call.valid && i < out.count; ++i) {
        multiply_matrix<decltype(number)>(call, product, member(left, i), member(right, i),
                                          member(out, i));
      }
    });
  });
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c,
                                          cudaDataType compute_type, cusparseSDDMMAlg_t,
                                          size_t* bytes) {
  if (const auto error = check_matrices(handle, op_a, op_b, alpha, a, b, beta, c)) return error;
  if (!has_sampled_product(__func__, a, b, c, compute_type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  return buffer_size(handle, bytes);
}

cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c, cudaDataType,
                                          cusparseSDDMMAlg_t, void*) {
  return check_matrices(handle, op_a, op_b, alpha, a, b, beta, c);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                               cusparseOperation_t op_b, const void* alpha,
                               cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute_type,
                               cusparseSDDMMAlg_t, void*) {
  if (const auto error = check_matrices(handle, op_a, op_b, alpha, a, b, beta, c)) return error;
  if (!has_sampled_product(__func__, a, b, c, compute_type)) return CUSPARSE_STATUS_NOT_SUPPORTED;
  const Product product{op_a, op_b, Factor(handle, alpha, compute_type),
                        Factor(handle, beta, compute_type), is_complex(compute_type)};
  return run(handle, __func__, [product, left = *a, right = *b, out = *c](Call& call) {
    with_numbers(product.is_complex, [&](auto number) {
      for (int i = 0; call.valid && i < out.count; ++i) {
        sample_product<decltype(number)>(call, product, member(left, i), member(right, i),
                                         member(out, i));
      }
    });
  });
}
