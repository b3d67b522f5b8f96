// cuSPARSE: sparse vectors with dense vectors.
#include "cusparse/matrices.h"

using namespace cudacpu::sparse;

namespace {

// The type of the factors of functions without an argument for the type.
cudaDataType factor_type(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF ? CUDA_R_32F : type;
}

cusparseStatus_t check_pair(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                            cusparseConstDnVecDescr_t y) {
  return check(handle, is_live(x) && is_live(y) && x->size == y->size && x->type == y->type);
}

Indices read_vector_indices(Call& call, const cusparseSpVecDescr& x) {
  Indices indices =
      read_indices(call, x.indices, x.index_type, x.nnz, x.base, "indices of a vector");
  check_indices(call, indices, x.size, "indices of a vector");
  return indices;
}

template <typename V>
std::vector<V> read_vector_values(Call& call, const cusparseSpVecDescr& x) {
  return read_values<V>(call, x.values, x.type, x.nnz, "values of a vector");
}

// The elements of y at the indices of x.
template <typename V>
std::vector<V> read_elements(Call& call, const cusparseDnVecDescr& y, const Indices& indices) {
  look_at_places(call, y.values, y.type, indices, "dense vector", true, false);
  std::vector<V> values(indices.size());
  for (size_t i = 0; call.valid && i < values.size(); ++i) {
    const auto bytes = static_cast<int64_t>(bytes_of(y.type));
    values[i] = load<V>(static_cast<const char*>(y.values) + indices[i] * bytes, y.type, 1)[0];
  }
  return values;
}

template <typename V>
void write_elements(Call& call, const cusparseDnVecDescr& y, const Indices& indices,
                    const std::vector<V>& values) {
  look_at_places(call, y.values, y.type, indices, "dense vector", false, true);
  for (size_t i = 0; call.valid && i < values.size(); ++i)
    store(y.values, y.type, indices[i], values[i]);
}

// y = alpha x + beta y. If beta is 1, only the elements at the indices of x are used.
template <typename V>
void add(Call& call, const cusparseSpVecDescr& x, const cusparseDnVecDescr& y, V alpha, V beta) {
  const Indices indices = read_vector_indices(call, x);
  const std::vector<V> values = read_vector_values<V>(call, x);
  if (beta == V(1)) {
    std::vector<V> sums = read_elements<V>(call, y, indices);
    for (size_t i = 0; call.valid && i < sums.size(); ++i)
      sums[i] += alpha * values[i];
    return write_elements(call, y, indices, sums);
  }
  std::vector<V> sums(static_cast<size_t>(y.size));
  if (beta != V(0)) sums = read_values<V>(call, y.values, y.type, y.size, "dense vector");
  if (!call.valid) return;
  for (V& sum : sums)
    sum *= beta;
  for (size_t i = 0; i < values.size(); ++i)
    sums[indices[i]] += alpha * values[i];
  write_values(call, y.values, y.type, sums, "dense vector");
}

template <typename V>
void rotate(Call& call, const cusparseSpVecDescr& x, const cusparseDnVecDescr& y, V c, V s) {
  const Indices indices = read_vector_indices(call, x);
  std::vector<V> a = read_vector_values<V>(call, x), b = read_elements<V>(call, y, indices);
  for (size_t i = 0; call.valid && i < a.size(); ++i) {
    const V old = a[i];
    a[i] = c * old + s * b[i];
    b[i] = c * b[i] - conjugate(s) * old;
  }
  write_values(call, x.values, x.type, a, "values of a vector");
  write_elements(call, y, indices, b);
}

}  // namespace

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t x, const void* beta,
                               cusparseDnVecDescr_t y) {
  if (const auto error = check_pair(handle, x, y)) return error;
  if (!alpha || !beta) return CUSPARSE_STATUS_INVALID_VALUE;
  const cudaDataType type = factor_type(x->type);
  return run(handle, __func__,
             [in = *x, out = *y, f = Factor(handle, alpha, type),
              g = Factor(handle, beta, type)](Call& call) {
               with_numbers(is_complex(in.type), [&](auto number) {
                 using V = decltype(number);
                 add<V>(call, in, out, f.get<V>(call), g.get<V>(call));
               });
             });
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
  if (const auto error = check_pair(handle, x, y)) return error;
  return run(handle, __func__, [in = *y, out = *x](Call& call) {
    const Indices indices = read_vector_indices(call, out);
    write_values(call, out.values, out.type, read_elements<Complex>(call, in, indices),
                 "values of a vector");
  });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
  if (const auto error = check_pair(handle, x, y)) return error;
  return run(handle, __func__, [in = *x, out = *y](Call& call) {
    const Indices indices = read_vector_indices(call, in);
    write_elements(call, out, indices, read_vector_values<Complex>(call, in));
  });
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* cosine, const void* sine,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y) {
  if (const auto error = check_pair(handle, x, y)) return error;
  if (!cosine || !sine) return CUSPARSE_STATUS_INVALID_VALUE;
  const cudaDataType type = factor_type(x->type);
  return run(handle, __func__,
             [in = *x, out = *y, c = Factor(handle, cosine, type),
              s = Factor(handle, sine, type)](Call& call) {
               with_numbers(is_complex(in.type), [&](auto number) {
                 using V = decltype(number);
                 rotate<V>(call, in, out, c.get<V>(call), s.get<V>(call));
               });
             });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void*, cudaDataType, size_t* bytes) {
  if (const auto error = check_pair(handle, x, y)) return error;
  return buffer_size(handle, bytes);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op_x,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void* result, cudaDataType compute_type, void*) {
  if (const auto error = check_pair(handle, x, y)) return error;
  if (!result || !is_allowed(op_x, x->type)) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!is_supported(__func__, x->type, y->type, compute_type, compute_type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  const bool on_device = handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
  const bool conjugates = op_x == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const auto multiply = [=, a = *x, b = *y](Call& call) {
    with_numbers(is_complex(compute_type), [&](auto sum) {
      using V = decltype(sum);
      const Indices indices = read_vector_indices(call, a);
      const std::vector<V> in = read_vector_values<V>(call, a);
      const std::vector<V> other = read_elements<V>(call, b, indices);
      for (size_t i = 0; call.valid && i < in.size(); ++i)
        sum += (conjugates ? conjugate(in[i]) : in[i]) * other[i];
      if (on_device) {
        write_values<V>(call, result, compute_type, {sum}, "result");
      } else if (call.valid) {
        store(result, compute_type, 0, sum);
      }
    });
  };
  return on_device ? run(handle, __func__, multiply) : run_and_wait(handle, __func__, multiply);
}
