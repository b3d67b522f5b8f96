// cuSPARSE: sparse vectors, conversions between formats and of dense matrices, sorting, sums of
// sparse matrices, descriptors and errors.
// flags: -lcusparse
// expect: done
#include <algorithm>
#include <cstring>

#include "cusparse_check.h"

cusparseHandle_t handle;

// Elements 1, 4 and 6 of a vector of 8.
void check_vectors(cudaDataType type, bool wide, cusparseIndexBase_t base) {
  const auto index = wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
  const cudaDataType factor = type == CUDA_R_16F ? CUDA_R_32F : type;
  const std::vector<int> places{6, 1, 4};
  const Matrix x = dense(3, 1, type, 2), y = dense(8, 1, type, 1);
  const IndexArray indices(places, wide, base);
  Values in(type, x.values), out(type, y.values);
  const Values factors(factor, {3, 1, 2, 0});
  cusparseSpVecDescr_t sparse_vector;
  cusparseDnVecDescr_t dense_vector;
  SPARSE(cusparseCreateSpVec(&sparse_vector, 8, 3, indices.data, in.data, index, base, type));
  SPARSE(cusparseCreateDnVec(&dense_vector, 8, out.data, type));

  Complex sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += std::conj(x.at(i, 0)) * y.at(places[i], 0);
  const Values result(factor, {0});
  const auto how = is_complex(type) ? CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE : kPlain;
  size_t bytes = 0;
  SPARSE(cusparseSpVV_bufferSize(handle, how, sparse_vector, dense_vector, result.data, factor,
                                 &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseSpVV(handle, how, sparse_vector, dense_vector, result.data, factor, buffer.data));
  CHECK(result.get(0) == sum);

  const size_t step = bytes_of(factor);
  for (const int beta : {1, 2, 3}) {  // 1, 2 and 0
    std::vector<Complex> expected = y.values;
    for (size_t i = 0; i < 8; ++i)
      out.set(i, y.values[i]);
    for (Complex& z : expected)
      z *= factors.get(beta);
    for (int i = 0; i < 3; ++i)
      expected[places[i]] += 3. * x.at(i, 0);
    SPARSE(cusparseAxpby(handle, factors.data, sparse_vector, factors.data + beta * step,
                         dense_vector));
    CHECK_OK(cudaDeviceSynchronize());
    for (size_t i = 0; i < 8; ++i)
      CHECK(out.get(i) == expected[i]);
  }
  SPARSE(cusparseScatter(handle, sparse_vector, dense_vector));
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i) {
    CHECK(out.get(places[i]) == x.at(i, 0));
    out.set(places[i], 7 + i);
  }
  SPARSE(cusparseGather(handle, dense_vector, sparse_vector));
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 3; ++i)
    CHECK(in.get(i) == Complex(7 + i));
  SPARSE(cusparseDestroySpVec(sparse_vector));
  SPARSE(cusparseDestroyDnVec(dense_vector));
}

// From a dense matrix and back.
void check_dense(cusparseFormat_t format, cudaDataType type, cusparseOrder_t order,
                 cusparseIndexBase_t base) {
  const Matrix a = sparse(7, 5, type);
  const OnDevice from(a, type, order), to(Matrix(7, 5), type, order);
  const bool by_column = format == CUSPARSE_FORMAT_CSC, listed = format == CUSPARSE_FORMAT_COO;
  const IndexArray offsets(std::vector<int>(by_column ? 6 : 8, 5), false, base);
  cusparseSpMatDescr_t middle;
  const auto algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  if (listed) {
    SPARSE(cusparseCreateCoo(&middle, 7, 5, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I, base,
                             type));
  } else {
    const auto create = by_column ? cusparseCreateCsc : cusparseCreateCsr;
    SPARSE(create(&middle, 7, 5, 0, offsets.data, nullptr, nullptr, CUSPARSE_INDEX_32I,
                  CUSPARSE_INDEX_32I, base, type));
  }
  size_t bytes = 0;
  SPARSE(cusparseDenseToSparse_bufferSize(handle, from.descriptor, middle, algorithm, &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseDenseToSparse_analysis(handle, from.descriptor, middle, algorithm, buffer.data));
  int64_t rows = 0, columns = 0, entries = 0;
  SPARSE(cusparseSpMatGetSize(middle, &rows, &columns, &entries));
  CHECK(rows == 7 && columns == 5 && entries == a.entries());
  const IndexArray row_indices(std::vector<int>(entries), false, 0),
      indices(std::vector<int>(entries), false, base);
  const Values values(type, std::vector<Complex>(entries));
  const auto set = listed      ? cusparseCooSetPointers
                   : by_column ? cusparseCscSetPointers
                               : cusparseCsrSetPointers;
  SPARSE(set(middle, listed ? row_indices.data : offsets.data, indices.data, values.data));
  SPARSE(cusparseDenseToSparse_convert(handle, from.descriptor, middle, algorithm, buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  const Stored expected(a, format, type, false, base);
  for (int i = 0; i < entries; ++i) {
    CHECK(indices.get(i) == expected.indices->get(i));
    CHECK(values.get(i) == expected.values->get(i));
  }
  SPARSE(cusparseSparseToDense_bufferSize(handle, middle, to.descriptor,
                                          CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
  SPARSE(cusparseSparseToDense(handle, middle, to.descriptor, CUSPARSE_SPARSETODENSE_ALG_DEFAULT,
                               buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(difference(to.get(), a) == 0);
  CHECK(to.keeps_gaps());
  SPARSE(cusparseDestroySpMat(middle));
}

// Of Blocked-ELL the program says which blocks exist.
void check_dense_blocks() {
  const Matrix a = dense(4, 6, CUDA_R_32F);
  const OnDevice from(a, CUDA_R_32F, CUSPARSE_ORDER_ROW);
  const IndexArray blocks({2, -1, 0, 1}, false, 0);
  const Values values(CUDA_R_32F, std::vector<Complex>(16));
  cusparseSpMatDescr_t out;
  SPARSE(cusparseCreateBlockedEll(&out, 4, 6, 2, 4, blocks.data, values.data, CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  size_t bytes = 0;
  const auto algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
  SPARSE(cusparseDenseToSparse_bufferSize(handle, from.descriptor, out, algorithm, &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseDenseToSparse_analysis(handle, from.descriptor, out, algorithm, buffer.data));
  SPARSE(cusparseDenseToSparse_convert(handle, from.descriptor, out, algorithm, buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      CHECK(values.get(i * 4 + j) == a.at(i, 4 + j));
      CHECK(values.get((2 + i) * 4 + j) == a.at(2 + i, j));
      CHECK(values.get((2 + i) * 4 + 2 + j) == a.at(2 + i, 2 + j));
    }
  }
  SPARSE(cusparseDestroySpMat(out));
}

int* ints(const IndexArray& array) {
  return static_cast<int*>(array.data);
}

// Of rows and columns, with 32 bits, and back.
void check_indices(cusparseIndexBase_t base) {
  const Matrix a = sparse(7, 5, CUDA_R_64F);
  const int n = a.entries();
  const Stored rows(a, CUSPARSE_FORMAT_CSR, CUDA_R_64F, false, base),
      columns(a, CUSPARSE_FORMAT_CSC, CUDA_R_64F, false, base),
      list(a, CUSPARSE_FORMAT_COO, CUDA_R_64F, false, base);
  const IndexArray offsets(std::vector<int>(8), false, base),
      expanded(std::vector<int>(n), false, base), new_offsets(std::vector<int>(6), false, base),
      new_indices(std::vector<int>(n), false, base);
  const Values values(CUDA_R_64F, std::vector<Complex>(n));
  SPARSE(cusparseXcoo2csr(handle, ints(*list.offsets), n, 7, ints(offsets), base));
  SPARSE(cusparseXcsr2coo(handle, ints(*rows.offsets), n, 7, ints(expanded), base));
  size_t bytes = 0;
  SPARSE(cusparseCsr2cscEx2_bufferSize(handle, 7, 5, n, rows.values->data, ints(*rows.offsets),
                                       ints(*rows.indices), values.data, ints(new_offsets),
                                       ints(new_indices), CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, base,
                                       CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseCsr2cscEx2(handle, 7, 5, n, rows.values->data, ints(*rows.offsets),
                            ints(*rows.indices), values.data, ints(new_offsets), ints(new_indices),
                            CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG_DEFAULT,
                            buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i <= 7; ++i)
    CHECK(offsets.get(i) == rows.offsets->get(i));
  for (int i = 0; i <= 5; ++i)
    CHECK(new_offsets.get(i) == columns.offsets->get(i));
  for (int i = 0; i < n; ++i) {
    CHECK(expanded.get(i) == list.offsets->get(i));
    CHECK(new_indices.get(i) == columns.indices->get(i));
    CHECK(values.get(i) == columns.values->get(i));
  }
}

// Entries in another order are sorted by their indices, and the values gathered.
void check_sorting(int by) {  // the row, the column, or in each row or column
  const Matrix a = sparse(7, 5, CUDA_R_32F);
  const bool by_column = by == 1 || by == 3;
  const Stored right(a, by_column ? CUSPARSE_FORMAT_CSC : CUSPARSE_FORMAT_CSR, CUDA_R_32F);
  const int n = a.entries(), lines = by_column ? 5 : 7;
  std::vector<int> line, other;
  std::vector<Complex> value;
  for (int i = 0; i < lines; ++i) {
    for (int k = right.offsets->get(i + 1) - 1; k >= right.offsets->get(i); --k) {
      line.push_back(i);
      other.push_back(right.indices->get(k));
      value.push_back(right.values->get(k));
    }
  }
  if (by < 2) {
    std::rotate(line.begin(), line.begin() + 3, line.end());
    std::rotate(other.begin(), other.begin() + 3, other.end());
    std::rotate(value.begin(), value.begin() + 3, value.end());
  }
  const IndexArray lines_of(line, false, 0), others(other, false, 0),
      permutation(std::vector<int>(n), false, 0);
  const Values before(CUDA_R_32F, value);
  cusparseMatDescr_t descriptor;
  SPARSE(cusparseCreateMatDescr(&descriptor));
  SPARSE(cusparseCreateIdentityPermutation(handle, n, ints(permutation)));
  size_t bytes = 0;
  if (by == 2) {
    SPARSE(cusparseXcsrsort_bufferSizeExt(handle, 7, 5, n, ints(*right.offsets), ints(others),
                                          &bytes));
    const Buffer buffer(bytes);
    SPARSE(cusparseXcsrsort(handle, 7, 5, n, descriptor, ints(*right.offsets), ints(others),
                            ints(permutation), buffer.data));
  } else if (by == 3) {
    SPARSE(cusparseXcscsort_bufferSizeExt(handle, 7, 5, n, ints(*right.offsets), ints(others),
                                          &bytes));
    const Buffer buffer(bytes);
    SPARSE(cusparseXcscsort(handle, 7, 5, n, descriptor, ints(*right.offsets), ints(others),
                            ints(permutation), buffer.data));
  } else {
    int* const rows = ints(by_column ? others : lines_of);
    int* const columns = ints(by_column ? lines_of : others);
    SPARSE(cusparseXcoosort_bufferSizeExt(handle, 7, 5, n, rows, columns, &bytes));
    const Buffer buffer(bytes);
    const auto sort = by_column ? cusparseXcoosortByColumn : cusparseXcoosortByRow;
    SPARSE(sort(handle, 7, 5, n, rows, columns, ints(permutation), buffer.data));
  }
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    CHECK(others.get(i) == right.indices->get(i));
    CHECK(before.get(permutation.get(i)) == right.values->get(i));
  }
  SPARSE(cusparseDestroyMatDescr(descriptor));
}

void check_counting() {
  const Matrix a = sparse(7, 5, CUDA_R_64F);
  const Values values(CUDA_R_64F, op(CUSPARSE_OPERATION_TRANSPOSE, a).values);
  const IndexArray counts(std::vector<int>(7), false, 0), total({0}, false, 0);
  cusparseMatDescr_t descriptor;
  SPARSE(cusparseCreateMatDescr(&descriptor));
  int on_host = 0;
  const auto* const data = reinterpret_cast<const double*>(values.data);
  SPARSE(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, 7, 5, descriptor, data, 7, ints(counts),
                      &on_host));
  CHECK(on_host == a.entries());
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  SPARSE(cusparseDnnz(handle, CUSPARSE_DIRECTION_COLUMN, 7, 5, descriptor, data, 7, ints(counts),
                      ints(total)));
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(total.get(0) == on_host);
  for (int j = 0; j < 5; ++j) {
    int n = 0;
    for (int i = 0; i < 7; ++i)
      n += a.at(i, j) != Complex(0);
    CHECK(counts.get(j) == n);
  }
  SPARSE(cusparseDestroyMatDescr(descriptor));
}

void check_sums(cusparseIndexBase_t base) {
  const Matrix a = sparse(7, 5, CUDA_R_32F), b = sparse(7, 5, CUDA_R_32F, 1);
  const Stored left(a, CUSPARSE_FORMAT_CSR, CUDA_R_32F, false, base),
      right(b, CUSPARSE_FORMAT_CSR, CUDA_R_32F, false, base);
  cusparseMatDescr_t descriptor;
  SPARSE(cusparseCreateMatDescr(&descriptor));
  SPARSE(cusparseSetMatIndexBase(descriptor, base));
  CHECK(cusparseGetMatIndexBase(descriptor) == base);
  const IndexArray offsets(std::vector<int>(8), false, base),
      indices(std::vector<int>(35), false, base);
  const Values values(CUDA_R_32F, std::vector<Complex>(35));
  auto* const x = reinterpret_cast<const float*>(left.values->data);
  auto* const y = reinterpret_cast<const float*>(right.values->data);
  auto* const z = reinterpret_cast<float*>(values.data);
  const float alpha = 2, beta = 3;
  size_t bytes = 0;
  SPARSE(cusparseScsrgeam2_bufferSizeExt(
      handle, 7, 5, &alpha, descriptor, a.entries(), x, ints(*left.offsets), ints(*left.indices),
      &beta, descriptor, b.entries(), y, ints(*right.offsets), ints(*right.indices), descriptor, z,
      ints(offsets), ints(indices), &bytes));
  const Buffer buffer(bytes);
  int entries = 0;
  SPARSE(cusparseXcsrgeam2Nnz(handle, 7, 5, descriptor, a.entries(), ints(*left.offsets),
                              ints(*left.indices), descriptor, b.entries(), ints(*right.offsets),
                              ints(*right.indices), descriptor, ints(offsets), &entries,
                              buffer.data));
  SPARSE(cusparseScsrgeam2(handle, 7, 5, &alpha, descriptor, a.entries(), x, ints(*left.offsets),
                           ints(*left.indices), &beta, descriptor, b.entries(), y,
                           ints(*right.offsets), ints(*right.indices), descriptor, z, ints(offsets),
                           ints(indices), buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  Matrix sum(7, 5), got(7, 5);
  int either = 0;
  for (size_t i = 0; i < sum.values.size(); ++i) {
    sum.values[i] = 2. * a.values[i] + 3. * b.values[i];
    either += a.values[i] != Complex(0) || b.values[i] != Complex(0);
  }
  for (int i = 0; i < 7; ++i) {
    for (int k = offsets.get(i); k < offsets.get(i + 1); ++k)
      got.at(i, indices.get(k)) = values.get(k);
  }
  CHECK(entries == either && offsets.get(7) == either);
  CHECK(difference(got, sum) == 0);
  SPARSE(cusparseDestroyMatDescr(descriptor));
}

void check_descriptors() {
  const Matrix a = sparse(4, 6, CUDA_R_32F);
  const Stored stored(a, CUSPARSE_FORMAT_CSR, CUDA_R_32F);
  int64_t rows = 0, columns = 0, entries = 0;
  void *offsets, *indices, *values;
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  SPARSE(cusparseCsrGet(stored.descriptor, &rows, &columns, &entries, &offsets, &indices, &values,
                        &offset_type, &index_type, &base, &type));
  CHECK(rows == 4 && columns == 6 && entries == a.entries() && values == stored.values->data);
  CHECK(offsets == stored.offsets->data && indices == stored.indices->data);
  CHECK(offset_type == CUSPARSE_INDEX_32I && index_type == CUSPARSE_INDEX_32I);
  CHECK(base == CUSPARSE_INDEX_BASE_ZERO && type == CUDA_R_32F);
  cusparseFormat_t format;
  SPARSE(cusparseSpMatGetFormat(stored.descriptor, &format));
  CHECK(format == CUSPARSE_FORMAT_CSR);
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_UPPER, kept = CUSPARSE_FILL_MODE_LOWER;
  SPARSE(
      cusparseSpMatSetAttribute(stored.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
  SPARSE(
      cusparseSpMatGetAttribute(stored.descriptor, CUSPARSE_SPMAT_FILL_MODE, &kept, sizeof(kept)));
  CHECK(kept == CUSPARSE_FILL_MODE_UPPER);
  cusparseConstDnVecDescr_t vector;
  const void* data = nullptr;
  SPARSE(cusparseCreateConstDnVec(&vector, 3, values, CUDA_R_32F));
  SPARSE(cusparseConstDnVecGetValues(vector, &data));
  CHECK(data == values);
  SPARSE(cusparseDestroyDnVec(vector));
  int version = 0;
  SPARSE(cusparseGetVersion(handle, &version));
  CHECK(version == CUSPARSE_VERSION);
  CHECK(!strcmp(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT), "CUSPARSE_STATUS_ZERO_PIVOT"));
}

void check_errors() {
  cusparseDnVecDescr_t vector;
  cusparseDnMatDescr_t matrix;
  int* const nothing = nullptr;
  CHECK(cusparseCreate(nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseCreateDnVec(&vector, -1, nullptr, CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseCreateDnMat(&matrix, 4, 4, 3, nullptr, CUDA_R_32F, CUSPARSE_ORDER_COL) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseXcoo2csr(nullptr, nothing, 0, 0, nothing, CUSPARSE_INDEX_BASE_ZERO) ==
        CUSPARSE_STATUS_NOT_INITIALIZED);
}

int main() {
  SPARSE(cusparseCreate(&handle));
  for (const cudaDataType type : {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F, CUDA_R_16F}) {
    check_vectors(type, false, CUSPARSE_INDEX_BASE_ZERO);
    check_vectors(type, true, CUSPARSE_INDEX_BASE_ONE);
    for (const auto format : {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO}) {
      check_dense(format, type, CUSPARSE_ORDER_ROW, CUSPARSE_INDEX_BASE_ZERO);
      check_dense(format, type, CUSPARSE_ORDER_COL, CUSPARSE_INDEX_BASE_ONE);
    }
  }
  check_dense_blocks();
  check_indices(CUSPARSE_INDEX_BASE_ZERO);
  check_indices(CUSPARSE_INDEX_BASE_ONE);
  for (int by = 0; by < 4; ++by)
    check_sorting(by);
  check_counting();
  check_sums(CUSPARSE_INDEX_BASE_ZERO);
  check_sums(CUSPARSE_INDEX_BASE_ONE);
  check_descriptors();
  check_errors();
  SPARSE(cusparseDestroy(handle));
  puts("done");
}
