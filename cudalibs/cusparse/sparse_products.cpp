// cuSPARSE: products of two sparse matrices.
#include <algorithm>
#include <memory>

#include "common/core.h"
#include "cusparse/matrices.h"

namespace cudacpu::sparse {

// The data that a product's steps hand on. Work in a stream uses a SparseProduct even after the
// descriptor is destroyed.
struct SparseProduct {
  int64_t products = 0;  // of two entries
  Sparse<Complex> result;
};

}  // namespace cudacpu::sparse

using namespace cudacpu::sparse;

struct cusparseSpGEMMDescr {
  std::shared_ptr<SparseProduct> product;
};

namespace {

cusparseStatus_t check_product(cusparseHandle_t handle, const char* name, cusparseOperation_t op_a,
                               cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                               cusparseConstSpMatDescr_t b, cusparseConstSpMatDescr_t c,
                               cusparseSpGEMMDescr_t product) {
  if (const auto error = check(handle, is_live(a) && is_live(b) && is_live(c) && is_live(product) &&
                                           a->columns == b->rows && a->rows == c->rows &&
                                           b->columns == c->columns))
    return error;
  const bool plain =
      op_a == CUSPARSE_OPERATION_NON_TRANSPOSE && op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool compressed = a->format == CUSPARSE_FORMAT_CSR && b->format == CUSPARSE_FORMAT_CSR &&
                          c->format == CUSPARSE_FORMAT_CSR;
  if (plain && compressed) return CUSPARSE_STATUS_SUCCESS;
  cudacpu::explain("%s: factors are CSR matrices, and not transposed", name);
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

int64_t count_products(const Pattern& a, const Pattern& b) {
  int64_t products = 0;
  for (const int64_t k : a.column)
    products += b.offsets[k + 1] - b.offsets[k];
  return products;
}

// A B, row by row: the entries of a row are collected in a dense row. Each row is sorted.
Sparse<Complex> multiply(const Sparse<Complex>& a, const Sparse<Complex>& b, bool real) {
  Sparse<Complex> c;
  c.rows = a.rows;
  c.columns = b.columns;
  c.offsets = {0};
  std::vector<Complex> sums(static_cast<size_t>(b.columns));
  Indices used_in(static_cast<size_t>(b.columns), -1);
  for (int64_t row = 0; row < a.rows; ++row) {
    const auto first = c.column.size();
    for (int64_t i = a.offsets[row]; i < a.offsets[row + 1]; ++i) {
      const int64_t k = a.column[i];
      for (int64_t j = b.offsets[k]; j < b.offsets[k + 1]; ++j) {
        const int64_t column = b.column[j];
        if (used_in[column] != row) {
          used_in[column] = row;
          sums[column] = 0;
          c.column.push_back(column);
        }
        // A real product has no imaginary part: infinity times 0 would give an imaginary part.
        sums[column] +=
            real ? Complex(a.value[i].real() * b.value[j].real()) : a.value[i] * b.value[j];
      }
    }
    std::sort(c.column.begin() + static_cast<int64_t>(first), c.column.end());
    for (size_t i = first; i < c.column.size(); ++i)
      c.value.push_back(sums[c.column[i]]);
    c.offsets.push_back(c.size());
  }
  for (int64_t i = 0; i < c.size(); ++i)
    c.place.push_back(i);
  return c;
}

// The first step of a product counts.
cusparseStatus_t begin(cusparseHandle_t handle, const char* name, cusparseConstSpMatDescr_t a,
                       cusparseConstSpMatDescr_t b, cusparseSpGEMMDescr_t product) {
  const auto kept = std::make_shared<SparseProduct>();
  product->product = kept;
  return run_and_wait(handle, name, [kept, left = *a, right = *b](Call& call) {
    const Pattern in = read_pattern(call, left), other = read_pattern(call, right);
    if (call.valid) kept->products = count_products(in, other);
  });
}

// Computes and keeps alpha A B, and stores the number of entries in the descriptor of C.
cusparseStatus_t compute(cusparseHandle_t handle, const char* name, const void* alpha,
                         cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                         cusparseSpMatDescr_t c, cudaDataType compute_type,
                         cusparseSpGEMMDescr_t product) {
  const auto kept = std::make_shared<SparseProduct>();
  product->product = kept;
  return run_and_wait(
      handle, name,
      [=, left = *a, right = *b, factor = Factor(handle, alpha, compute_type)](Call& call) {
        const Sparse<Complex> in = read_matrix<Complex>(call, left);
        const Sparse<Complex> other = read_matrix<Complex>(call, right);
        const Complex f = factor.get<Complex>(call);
        if (!call.valid) return;
        const bool real = !is_complex(compute_type);
        kept->products = count_products(in, other);
        kept->result = multiply(in, other, real);
        for (Complex& value : kept->result.value)
          value = real ? value.real() * f.real() : value * f;
        if (is_live(c)) c->nnz = kept->result.size();
      });
}

bool has_room(const Call& call, const cusparseSpMatDescr& c, const SparseProduct& product) {
  if (product.result.size() == c.nnz) return true;
  cudacpu::explain("%s: the product has %lld entries, but the matrix for it %lld", call.name,
                   static_cast<long long>(product.result.size()), static_cast<long long>(c.nnz));
  return false;
}

void write_places(Call& call, const cusparseSpMatDescr& c, const SparseProduct& product) {
  call.valid = has_room(call, c, product);
  if (!call.valid) return;
  write_indices(call, c.offsets, c.offset_type, product.result.offsets, c.base,
                "offsets of a matrix");
  write_indices(call, c.indices, c.index_type, product.result.column, c.base,
                "indices of a matrix");
}

// beta C + the product, whose entries have the places of C's entries.
void write_sums(Call& call, const cusparseSpMatDescr& c, const SparseProduct& product,
                Complex beta) {
  call.valid = call.valid && has_room(call, c, product);
  std::vector<Complex> sums = product.result.value;
  if (beta != Complex(0)) {
    const std::vector<Complex> old = read_entries<Complex>(call, c, product.result);
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] += beta * old[i];
  }
  write_entries(call, c, product.result, sums);
}

}  // namespace

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descriptor) {
  return create(descriptor);
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor) {
  return destroy(descriptor);
}

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a,
                                               cusparseConstSpMatDescr_t b, const void* beta,
                                               cusparseSpMatDescr_t c, cudaDataType compute_type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product,
                                               size_t* bytes1, void* buffer1) {
  if (const auto error = check_product(handle, __func__, op_a, op_b, a, b, c, product))
    return error;
  if (!is_supported(__func__, a->type, b->type, c->type, compute_type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (!buffer1) return buffer_size(handle, bytes1, alpha && beta);
  return begin(handle, __func__, a, b, product);
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t product, int64_t* products) {
  if (!is_live(product) || !product->product || !products) return CUSPARSE_STATUS_INVALID_VALUE;
  *products = product->product->products;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void*,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void*, cusparseSpMatDescr_t c,
    cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product, float, size_t* bytes3,
    void* buffer3, size_t* bytes2) {
  if (const auto error = check_product(handle, __func__, op_a, op_b, a, b, c, product))
    return error;
  return buffer_size(handle, buffer3 ? bytes2 : bytes3);
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c,
                                        cudaDataType compute_type, cusparseSpGEMMAlg_t,
                                        cusparseSpGEMMDescr_t product, size_t* bytes2,
                                        void* buffer2) {
  if (const auto error = check_product(handle, __func__, op_a, op_b, a, b, c, product))
    return error;
  if (!alpha || !beta) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!buffer2) return buffer_size(handle, bytes2);
  return compute(handle, __func__, alpha, a, b, c, compute_type, product);
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void*,
                                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void* beta, cusparseSpMatDescr_t c,
                                     cudaDataType compute_type, cusparseSpGEMMAlg_t,
                                     cusparseSpGEMMDescr_t product) {
  if (const auto error = check_product(handle, __func__, op_a, op_b, a, b, c, product))
    return error;
  if (!beta || !product->product) return CUSPARSE_STATUS_INVALID_VALUE;
  return run(
      handle, __func__,
      [kept = product->product, out = *c, factor = Factor(handle, beta, compute_type)](Call& call) {
        write_places(call, out, *kept);
        write_sums(call, out, *kept, factor.get<Complex>(call));
      });
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product, size_t* bytes1, void* buffer1) {
  if (const auto error = check_product(handle, __func__, op_a, op_b, a, b, c, product))
    return error;
  if (!buffer1) return buffer_size(handle, bytes1);
  return begin(handle, __func__, a, b, product);
}

cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t op_a,
                                         cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                         cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                         cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product,
                                         size_t* bytes2, void* buffer2, size_t* bytes3,
                                         void* buffer3, size_t* bytes4, void* buffer4) {
  if (const auto error = check_product(handle, __func__, op_a, op_b, a, b, c, product))
    return error;
  if (!buffer2 || !buffer3 || !buffer4) {
    buffer_size(handle, bytes2);
    buffer_size(handle, bytes3);
    return buffer_size(handle, bytes4);
  }
  const auto kept = std::make_shared<SparseProduct>();
  product->product = kept;
  return run_and_wait(handle, __func__, [kept, left = *a, right = *b, c](Call& call) {
    Sparse<Complex> in, other;
    static_cast<Pattern&>(in) = read_pattern(call, left);
    static_cast<Pattern&>(other) = read_pattern(call, right);
    in.value.resize(in.column.size());
    other.value.resize(other.column.size());
    if (!call.valid) return;
    kept->result = multiply(in, other, true);
    if (is_live(c)) c->nnz = kept->result.size();
  });
}

cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                          cusparseOperation_t op_b, cusparseConstSpMatDescr_t a,
                                          cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                          cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product,
                                          size_t* bytes5, void* buffer5) {
  if (const auto error = check_product(handle, __func__, op_a, op_b, a, b, c, product))
    return error;
  if (!buffer5) return buffer_size(handle, bytes5);
  if (!product->product) return CUSPARSE_STATUS_INVALID_VALUE;
  return run(handle, __func__,
             [kept = product->product, out = *c](Call& call) { write_places(call, out, *kept); });
}

cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                             cusparseOperation_t op_b, const void* alpha,
                                             cusparseConstSpMatDescr_t a,
                                             cusparseConstSpMatDescr_t b, const void* beta,
                                             cusparseSpMatDescr_t c, cudaDataType compute_type,
                                             cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product) {
  if (const auto error = check_product(handle, __func__, op_a, op_b, a, b, c, product))
    return error;
  if (!alpha || !beta) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!is_supported(__func__, a->type, b->type, c->type, compute_type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (const auto error = compute(handle, __func__, alpha, a, b, c, compute_type, product))
    return error;
  return run(handle, __func__,
             [kept = product->product, out = *c, factor = Factor(handle, beta, compute_type)](
                 Call& call) { write_sums(call, out, *kept, factor.get<Complex>(call)); });
}
