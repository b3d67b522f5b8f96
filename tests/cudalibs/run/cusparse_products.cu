// cuSPARSE: products of sparse matrices in every format with vectors and matrices, compared with
// products of dense matrices; all types of values and indices, transposed matrices, batches,
// streams and graphs.
// flags: -lcusparse
// expect: done
// stderr: cuSPARSE does not compute CUDA_R_64F from CUDA_R_32F and CUDA_R_32F
// stderr: cuSPARSE does not do this with a sparse matrix in the format Blocked-ELL
#include "cusparse_check.h"

#if !defined(CUSPARSE_H_) || !defined(CUSPARSEAPI)
#error programs ask for these names
#endif

constexpr cusparseFormat_t kFormats[] = {
    CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,         CUSPARSE_FORMAT_COO,
    CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_BLOCKED_ELL, CUSPARSE_FORMAT_SLICED_ELLPACK};

// Of the factors, of the matrix and the vector, and of the result.
struct Types {
  cudaDataType compute, in, out;
};
constexpr Types kTypes[] = {
    {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},  {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},  {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
    {CUDA_R_32F, CUDA_R_16F, CUDA_R_16F},  {CUDA_R_32F, CUDA_R_16F, CUDA_R_32F},
    {CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F}, {CUDA_R_32I, CUDA_R_8I, CUDA_R_32I},
    {CUDA_R_32F, CUDA_R_8I, CUDA_R_32F}};

cusparseHandle_t handle;

// alpha and beta, as numbers and in the type of a computation.
struct Factors {
  Complex alpha, beta;
  Values values;
  explicit Factors(cudaDataType type, Complex beta = 2)
      : alpha(3, is_complex(type) ? 1 : 0), beta(beta), values(type, {alpha, beta}) {}
  const void* at(int i) const { return values.data + i * bytes_of(values.type); }
};

// What the library has of SpMM.
bool has_matrix_product(cusparseFormat_t format, const Types& types, cusparseOperation_t how) {
  if (format == CUSPARSE_FORMAT_SLICED_ELLPACK) return false;
  if (format != CUSPARSE_FORMAT_BLOCKED_ELL) return true;
  return how == kPlain && !is_complex(types.in) &&
         !(types.in == CUDA_R_8I && types.out == CUDA_R_32F);
}

Matrix column(int rows, cudaDataType type, int seed) {
  return dense(rows, 1, type, seed);
}

void check_vector(cusparseFormat_t format, const Types& types, cusparseOperation_t how, bool wide,
                  cusparseIndexBase_t base) {
  const Matrix a = sparse(6, 12, types.in);
  const Stored stored(a, format, types.in, wide, base);
  const Matrix turned = op(how, a), x = column(turned.columns, types.in, 1),
               y = column(turned.rows, types.out, 2);
  for (const int beta : {2, 0}) {
    const Values in(types.in, x.values), out(types.out, y.values);
    const Factors factors(types.compute, beta);
    cusparseDnVecDescr_t x_descriptor, y_descriptor;
    SPARSE(cusparseCreateDnVec(&x_descriptor, x.rows, in.data, types.in));
    SPARSE(cusparseCreateDnVec(&y_descriptor, y.rows, out.data, types.out));
    size_t bytes = 0;
    SPARSE(cusparseSpMV_bufferSize(handle, how, factors.at(0), stored.descriptor, x_descriptor,
                                   factors.at(1), y_descriptor, types.compute,
                                   CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    const Buffer buffer(bytes);
    SPARSE(cusparseSpMV_preprocess(handle, how, factors.at(0), stored.descriptor, x_descriptor,
                                   factors.at(1), y_descriptor, types.compute,
                                   CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
    SPARSE(cusparseSpMV(handle, how, factors.at(0), stored.descriptor, x_descriptor, factors.at(1),
                        y_descriptor, types.compute, CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
    CHECK_OK(cudaDeviceSynchronize());
    Matrix got(y.rows, 1);
    for (int i = 0; i < y.rows; ++i)
      got.at(i, 0) = out.get(i);
    CHECK(difference(got, product(factors.alpha, turned, x, factors.beta, y)) == 0);
    SPARSE(cusparseDestroyDnVec(x_descriptor));
    SPARSE(cusparseDestroyDnVec(y_descriptor));
  }
}

void check_matrix(cusparseFormat_t format, const Types& types, cusparseOperation_t how,
                  cusparseOperation_t how_b, cusparseOrder_t order) {
  const Matrix a = sparse(6, 12, types.in), turned = op(how, a);
  const Stored stored(a, format, types.in);
  const Matrix b = how_b == kPlain ? dense(turned.columns, 5, types.in, 1)
                                   : dense(5, turned.columns, types.in, 1);
  const Matrix c = dense(turned.rows, 5, types.out, 2);
  const OnDevice right(b, types.in, order), out(c, types.out, CUSPARSE_ORDER_COL);
  const Factors factors(types.compute);
  size_t bytes = 0;
  SPARSE(cusparseSpMM_bufferSize(handle, how, how_b, factors.at(0), stored.descriptor,
                                 right.descriptor, factors.at(1), out.descriptor, types.compute,
                                 CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseSpMM_preprocess(handle, how, how_b, factors.at(0), stored.descriptor,
                                 right.descriptor, factors.at(1), out.descriptor, types.compute,
                                 CUSPARSE_SPMM_ALG_DEFAULT, buffer.data));
  SPARSE(cusparseSpMM(handle, how, how_b, factors.at(0), stored.descriptor, right.descriptor,
                      factors.at(1), out.descriptor, types.compute, CUSPARSE_SPMM_ALG_DEFAULT,
                      buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(difference(out.get(), product(factors.alpha, turned, op(how_b, b), factors.beta, c)) == 0);
  CHECK(out.keeps_gaps());
}

// Two matrices of different values in the same places, and two right sides.
void check_batch() {
  const Matrix a = sparse(5, 7, CUDA_R_32F), b = dense(7, 3, CUDA_R_32F, 1);
  const Stored one(a, CUSPARSE_FORMAT_CSR, CUDA_R_32F);
  std::vector<Complex> both;
  for (int i = 0; i < 2 * a.entries(); ++i)
    both.push_back(one.values->get(i % a.entries()) * Complex(i < a.entries() ? 1 : 3));
  std::vector<int> columns;
  for (int i = 0; i < 2 * a.entries(); ++i)
    columns.push_back(one.indices->get(i % a.entries()));
  std::vector<Complex> sides = b.values;
  sides.insert(sides.end(), b.values.begin(), b.values.end());
  const Values values(CUDA_R_32F, both), in(CUDA_R_32F, sides),
      out(CUDA_R_32F, std::vector<Complex>(2 * 15));
  const IndexArray indices(columns, false, 0);
  cusparseSpMatDescr_t left;
  cusparseDnMatDescr_t right, result;
  SPARSE(cusparseCreateCsr(&left, 5, 7, a.entries(), one.offsets->data, indices.data, values.data,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_32F));
  SPARSE(cusparseCsrSetStridedBatch(left, 2, 0, a.entries()));
  SPARSE(cusparseCreateDnMat(&right, 7, 3, 3, in.data, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  SPARSE(cusparseCreateDnMat(&result, 5, 3, 3, out.data, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  SPARSE(cusparseDnMatSetStridedBatch(right, 2, 21));
  SPARSE(cusparseDnMatSetStridedBatch(result, 2, 15));
  int count = 0;
  SPARSE(cusparseSpMatGetStridedBatch(left, &count));
  CHECK(count == 2);
  const float alpha = 1, beta = 0;
  const Buffer buffer(1024);
  SPARSE(cusparseSpMM(handle, kPlain, kPlain, &alpha, left, right, &beta, result, CUDA_R_32F,
                      CUSPARSE_SPMM_CSR_ALG2, buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  const Matrix expected = product(1, a, b, 0, Matrix(5, 3));
  for (int i = 0; i < 30; ++i)
    CHECK(out.get(i) == expected.values[i % 15] * Complex(i < 15 ? 1 : 3));
  SPARSE(cusparseDestroySpMat(left));
  SPARSE(cusparseDestroyDnMat(right));
  SPARSE(cusparseDestroyDnMat(result));
}

// Only the entries of C are computed.
void check_sampled(cusparseFormat_t format, const Types& types, cusparseOperation_t how) {
  const Matrix c = sparse(6, 12, types.out);
  const Matrix a = how == kPlain ? dense(6, 4, types.in, 1) : dense(4, 6, types.in, 1);
  const Matrix b = how == kPlain ? dense(12, 4, types.in, 3) : dense(4, 12, types.in, 3);
  const cusparseOperation_t how_b = how == kPlain ? CUSPARSE_OPERATION_TRANSPOSE : kPlain;
  const OnDevice left(a, types.in, CUSPARSE_ORDER_ROW), right(b, types.in, CUSPARSE_ORDER_COL);
  const Stored out(c, format, types.out);
  const Factors factors(types.compute);
  size_t bytes = 0;
  SPARSE(cusparseSDDMM_bufferSize(handle, how, how_b, factors.at(0), left.descriptor,
                                  right.descriptor, factors.at(1), out.descriptor, types.compute,
                                  CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseSDDMM_preprocess(handle, how, how_b, factors.at(0), left.descriptor,
                                  right.descriptor, factors.at(1), out.descriptor, types.compute,
                                  CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data));
  SPARSE(cusparseSDDMM(handle, how, how_b, factors.at(0), left.descriptor, right.descriptor,
                       factors.at(1), out.descriptor, types.compute, CUSPARSE_SDDMM_ALG_DEFAULT,
                       buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  const Matrix all = product(factors.alpha, op(how, a), op(how_b, b), factors.beta, c);
  if (format != CUSPARSE_FORMAT_CSR) return;
  for (int i = 0, n = 0; i < c.rows; ++i) {
    for (; n < out.offsets->get(i + 1); ++n)
      CHECK(out.values->get(n) == all.at(i, out.indices->get(n)));
  }
}

// C = alpha A B, and then again with other values and the old contents.
void check_sparse(cudaDataType type, bool wide, cusparseIndexBase_t base) {
  const Matrix a = sparse(6, 9, type), b = sparse(9, 7, type, 1);
  const Stored left(a, CUSPARSE_FORMAT_CSR, type, wide, base),
      right(b, CUSPARSE_FORMAT_CSR, type, wide, base);
  const auto index = wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
  const IndexArray offsets(std::vector<int>(7), wide, base);
  const Factors factors(type, 0);
  const auto algorithm = CUSPARSE_SPGEMM_DEFAULT;
  cusparseSpMatDescr_t out;
  cusparseSpGEMMDescr_t step;
  SPARSE(
      cusparseCreateCsr(&out, 6, 7, 0, offsets.data, nullptr, nullptr, index, index, base, type));
  SPARSE(cusparseSpGEMM_createDescr(&step));
  size_t bytes1 = 0, bytes2 = 0;
  SPARSE(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, factors.at(0), left.descriptor,
                                       right.descriptor, factors.at(1), out, type, algorithm, step,
                                       &bytes1, nullptr));
  const Buffer buffer1(bytes1);
  SPARSE(cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, factors.at(0), left.descriptor,
                                       right.descriptor, factors.at(1), out, type, algorithm, step,
                                       &bytes1, buffer1.data));
  SPARSE(cusparseSpGEMM_compute(handle, kPlain, kPlain, factors.at(0), left.descriptor,
                                right.descriptor, factors.at(1), out, type, algorithm, step,
                                &bytes2, nullptr));
  const Buffer buffer2(bytes2);
  SPARSE(cusparseSpGEMM_compute(handle, kPlain, kPlain, factors.at(0), left.descriptor,
                                right.descriptor, factors.at(1), out, type, algorithm, step,
                                &bytes2, buffer2.data));
  int64_t rows = 0, columns = 0, entries = 0;
  SPARSE(cusparseSpMatGetSize(out, &rows, &columns, &entries));
  CHECK(rows == 6 && columns == 7 && entries > 0);
  const IndexArray indices(std::vector<int>(entries), wide, base);
  const Values values(type, std::vector<Complex>(entries));
  SPARSE(cusparseCsrSetPointers(out, offsets.data, indices.data, values.data));
  SPARSE(cusparseSpGEMM_copy(handle, kPlain, kPlain, factors.at(0), left.descriptor,
                             right.descriptor, factors.at(1), out, type, algorithm, step));
  CHECK_OK(cudaDeviceSynchronize());
  Matrix got(6, 7);
  for (int i = 0, n = 0; i < 6; ++i) {
    for (; n < offsets.get(i + 1); ++n)
      got.at(i, indices.get(n)) = values.get(n);
  }
  CHECK(offsets.get(0) == 0 && offsets.get(6) == entries);
  CHECK(difference(got, product(factors.alpha, a, b, 0, Matrix(6, 7))) == 0);
  SPARSE(cusparseSpGEMM_destroyDescr(step));
  SPARSE(cusparseDestroySpMat(out));
}

__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

// Factors on the device; a kernel between two products, in a stream and then as a graph.
void check_streams() {
  const Matrix a = sparse(6, 6, CUDA_R_32F), x = dense(6, 1, CUDA_R_32F, 1);
  const Stored stored(a, CUSPARSE_FORMAT_CSR, CUDA_R_32F);
  const Values in(CUDA_R_32F, x.values), out(CUDA_R_32F, std::vector<Complex>(6)),
      factors(CUDA_R_32F, {1, 0});
  auto* const y = reinterpret_cast<float*>(out.data);
  cudaStream_t stream;
  CHECK_OK(cudaStreamCreate(&stream));
  SPARSE(cusparseSetStream(handle, stream));
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  cusparseDnVecDescr_t x_descriptor, y_descriptor;
  SPARSE(cusparseCreateDnVec(&x_descriptor, 6, in.data, CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&y_descriptor, 6, out.data, CUDA_R_32F));
  const Buffer buffer(1024);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  for (const bool captured : {false, true}) {
    if (captured) CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SPARSE(cusparseSpMV(handle, kPlain, factors.data, stored.descriptor, x_descriptor,
                        factors.data + 4, y_descriptor, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                        buffer.data));
    twice<<<1, 32, 0, stream>>>(y, 6);
    // y = A x + 2 A x
    SPARSE(cusparseSpMV(handle, kPlain, factors.data, stored.descriptor, x_descriptor, factors.data,
                        y_descriptor, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.data));
    if (captured) CHECK_OK(cudaStreamEndCapture(stream, &graph));
  }
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_OK(cudaGraphLaunch(executable, stream));
  CHECK_OK(cudaStreamSynchronize(stream));
  const Matrix expected = product(3, a, x, 0, x);
  for (int i = 0; i < 6; ++i)
    CHECK(out.get(i) == expected.at(i, 0));
  SPARSE(cusparseSetStream(handle, nullptr));
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  SPARSE(cusparseDestroyDnVec(x_descriptor));
  SPARSE(cusparseDestroyDnVec(y_descriptor));
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamDestroy(stream));
}

// What the library refuses.
void check_refused() {
  const Matrix a = sparse(6, 6, CUDA_R_32F);
  const Stored rows(a, CUSPARSE_FORMAT_CSR, CUDA_R_32F),
      blocks(a, CUSPARSE_FORMAT_BLOCKED_ELL, CUDA_R_32F),
      block_rows(a, CUSPARSE_FORMAT_BSR, CUDA_R_32F);
  const Values values(CUDA_R_32F, std::vector<Complex>(6));
  const Factors factors(CUDA_R_32F);
  cusparseDnVecDescr_t x, y, shorter;
  SPARSE(cusparseCreateDnVec(&x, 6, values.data, CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&y, 6, values.data, CUDA_R_64F));
  SPARSE(cusparseCreateDnVec(&shorter, 5, values.data, CUDA_R_32F));
  const auto status = [&](cusparseOperation_t how, const Stored& matrix, cusparseDnVecDescr_t in,
                          cusparseDnVecDescr_t out) {
    size_t bytes = 0;
    return cusparseSpMV_bufferSize(handle, how, factors.at(0), matrix.descriptor, in, factors.at(1),
                                   out, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  };
  CHECK(status(kPlain, rows, x, x) == CUSPARSE_STATUS_SUCCESS);
  CHECK(status(kPlain, rows, x, y) == CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK(status(kPlain, blocks, x, x) == CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK(status(kPlain, block_rows, x, x) == CUSPARSE_STATUS_SUCCESS);
  CHECK(status(CUSPARSE_OPERATION_TRANSPOSE, block_rows, x, x) == CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK(status(kPlain, rows, shorter, x) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(status(CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, rows, x, x) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  for (const cusparseDnVecDescr_t vector : {x, y, shorter})
    SPARSE(cusparseDestroyDnVec(vector));
}

int main() {
  SPARSE(cusparseCreate(&handle));
  for (const Types& types : kTypes) {
    for (const cusparseFormat_t format : kFormats) {
      for (const cusparseOperation_t how : kOperations) {
        if (!is_complex(types.in) && how == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) continue;
        if (format == CUSPARSE_FORMAT_BSR && how != kPlain) continue;
        if (format != CUSPARSE_FORMAT_BLOCKED_ELL) {
          check_vector(format, types, how, false, CUSPARSE_INDEX_BASE_ZERO);
          check_vector(format, types, how, true, CUSPARSE_INDEX_BASE_ONE);
        }
        if (!has_matrix_product(format, types, how)) continue;
        check_matrix(format, types, how, kPlain, CUSPARSE_ORDER_COL);
        check_matrix(format, types, how, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_ORDER_ROW);
      }
    }
    if (types.in == types.out) {
      check_sampled(CUSPARSE_FORMAT_CSR, types, kPlain);
      check_sampled(CUSPARSE_FORMAT_CSR, types, CUSPARSE_OPERATION_TRANSPOSE);
      check_sampled(CUSPARSE_FORMAT_BSR, types, kPlain);
    }
  }
  for (const cudaDataType type : {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F}) {
    check_sparse(type, false, CUSPARSE_INDEX_BASE_ZERO);
    check_sparse(type, true, CUSPARSE_INDEX_BASE_ONE);
  }
  check_batch();
  check_streams();
  check_refused();
  SPARSE(cusparseDestroy(handle));
  puts("done");
}
