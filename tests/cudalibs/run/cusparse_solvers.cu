// cuSPARSE: triangular systems, incomplete decompositions, and systems with three and five
// diagonals; solutions are checked by multiplying.
// flags: -lcusparse
// expect: done
#include <algorithm>

#include "cusparse_check.h"

cusparseHandle_t handle;

int* ints(const IndexArray& array) {
  return static_cast<int*>(array.data);
}

// Large numbers on the diagonal, of which none is missing.
Matrix dominant(int n, cudaDataType type) {
  Matrix a = sparse(n, n, type);
  for (int i = 0; i < n; ++i)
    a.at(i, i) = Complex(9 + i % 3, is_complex(type) ? 1 : 0);
  return a;
}

Matrix triangle(const Matrix& a, bool lower, bool unit) {
  Matrix part(a.rows, a.columns);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j) {
      if (lower ? j < i : j > i) part.at(i, j) = a.at(i, j);
      if (i == j) part.at(i, j) = unit ? 1 : a.at(i, j);
    }
  }
  return part;
}

double tolerance(cudaDataType type) {
  return type == CUDA_R_64F || type == CUDA_C_64F ? 1e-12 : 1e-4;
}

// One right side, and then again with other values in the matrix.
void check_vector(cusparseFormat_t format, cudaDataType type, cusparseOperation_t how, bool lower,
                  bool unit) {
  Matrix a = dominant(7, type);
  const Stored stored(a, format, type, lower,
                      lower ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
  cusparseFillMode_t fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t diagonal = unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  SPARSE(
      cusparseSpMatSetAttribute(stored.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
  SPARSE(cusparseSpMatSetAttribute(stored.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                   sizeof(diagonal)));
  const Matrix b = dense(7, 1, type, 1);
  const Values in(type, b.values), out(type, std::vector<Complex>(7)), alpha(type, {2});
  cusparseDnVecDescr_t x, y;
  cusparseSpSVDescr_t solver;
  SPARSE(cusparseCreateDnVec(&x, 7, in.data, type));
  SPARSE(cusparseCreateDnVec(&y, 7, out.data, type));
  SPARSE(cusparseSpSV_createDescr(&solver));
  size_t bytes = 0;
  const auto algorithm = CUSPARSE_SPSV_ALG_DEFAULT;
  SPARSE(cusparseSpSV_bufferSize(handle, how, alpha.data, stored.descriptor, x, y, type, algorithm,
                                 solver, &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseSpSV_analysis(handle, how, alpha.data, stored.descriptor, x, y, type, algorithm,
                               solver, buffer.data));
  for (const bool updated : {false, true}) {
    if (updated && format != CUSPARSE_FORMAT_CSR) break;
    if (updated) {
      CHECK_OK(cudaDeviceSynchronize());
      for (size_t i = 0; i < stored.values->count; ++i)
        stored.values->set(i, stored.values->get(i) * 2.);
      for (Complex& z : a.values)
        z *= 2;
      SPARSE(cusparseSpSV_updateMatrix(handle, solver, stored.values->data,
                                       CUSPARSE_SPSV_UPDATE_GENERAL));
    }
    SPARSE(cusparseSpSV_solve(handle, how, alpha.data, stored.descriptor, x, y, type, algorithm,
                              solver));
    CHECK_OK(cudaDeviceSynchronize());
    Matrix solution(7, 1);
    for (int i = 0; i < 7; ++i)
      solution.at(i, 0) = out.get(i);
    const Matrix right = product(1, op(how, triangle(a, lower, unit)), solution, 0, solution);
    for (int i = 0; i < 7; ++i)
      CHECK(std::abs(right.at(i, 0) - 2. * b.at(i, 0)) < tolerance(type) * 100);
  }
  SPARSE(cusparseSpSV_destroyDescr(solver));
  SPARSE(cusparseDestroyDnVec(x));
  SPARSE(cusparseDestroyDnVec(y));
}

// Several right sides.
void check_matrix(cudaDataType type, cusparseOperation_t how, cusparseOperation_t how_b,
                  bool lower) {
  const Matrix a = dominant(7, type);
  const Stored stored(a, CUSPARSE_FORMAT_CSR, type);
  cusparseFillMode_t fill = lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
  SPARSE(
      cusparseSpMatSetAttribute(stored.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
  const Matrix b = how_b == kPlain ? dense(7, 4, type, 1) : dense(4, 7, type, 1);
  const OnDevice in(b, type, CUSPARSE_ORDER_COL), out(Matrix(7, 4), type, CUSPARSE_ORDER_COL);
  const Values alpha(type, {2});
  cusparseSpSMDescr_t solver;
  SPARSE(cusparseSpSM_createDescr(&solver));
  size_t bytes = 0;
  const auto algorithm = CUSPARSE_SPSM_ALG_DEFAULT;
  SPARSE(cusparseSpSM_bufferSize(handle, how, how_b, alpha.data, stored.descriptor, in.descriptor,
                                 out.descriptor, type, algorithm, solver, &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseSpSM_analysis(handle, how, how_b, alpha.data, stored.descriptor, in.descriptor,
                               out.descriptor, type, algorithm, solver, buffer.data));
  SPARSE(cusparseSpSM_solve(handle, how, how_b, alpha.data, stored.descriptor, in.descriptor,
                            out.descriptor, type, algorithm, solver));
  CHECK_OK(cudaDeviceSynchronize());
  const Matrix right = product(1, op(how, triangle(a, lower, false)), out.get(), 0, Matrix(7, 4));
  Matrix expected = op(how_b, b);
  for (Complex& z : expected.values)
    z *= 2;
  CHECK(difference(right, expected) < tolerance(type) * 100);
  SPARSE(cusparseSpSM_destroyDescr(solver));
}

// L U has the values of A where A has entries.
void check_lu(cusparseIndexBase_t base) {
  const Matrix a = dominant(9, CUDA_R_64F);
  const Stored stored(a, CUSPARSE_FORMAT_CSR, CUDA_R_64F, false, base);
  const int n = a.entries(), *const offsets = ints(*stored.offsets),
            *const indices = ints(*stored.indices);
  auto* const values = reinterpret_cast<double*>(stored.values->data);
  cusparseMatDescr_t descriptor;
  csrilu02Info_t info;
  SPARSE(cusparseCreateMatDescr(&descriptor));
  SPARSE(cusparseSetMatIndexBase(descriptor, base));
  SPARSE(cusparseCreateCsrilu02Info(&info));
  int bytes = 0, position = 7;
  SPARSE(cusparseDcsrilu02_bufferSize(handle, 9, n, descriptor, values, offsets, indices, info,
                                      &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseDcsrilu02_analysis(handle, 9, n, descriptor, values, offsets, indices, info,
                                    CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data));
  SPARSE(cusparseXcsrilu02_zeroPivot(handle, info, &position));
  SPARSE(cusparseDcsrilu02(handle, 9, n, descriptor, values, offsets, indices, info,
                           CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data));
  SPARSE(cusparseXcsrilu02_zeroPivot(handle, info, &position));
  CHECK(position == -1);
  Matrix decomposed(9, 9);
  for (int i = 0; i < 9; ++i) {
    for (int k = stored.offsets->get(i); k < stored.offsets->get(i + 1); ++k)
      decomposed.at(i, stored.indices->get(k)) = stored.values->get(k);
  }
  const Matrix both =
      product(1, triangle(decomposed, true, true), triangle(decomposed, false, false), 0, a);
  for (size_t i = 0; i < a.values.size(); ++i)
    CHECK(a.values[i] == Complex(0) || std::abs(both.values[i] - a.values[i]) < 1e-12);

  // A zero on the diagonal: the last row is found, unless the pivot is replaced.
  const Stored singular(triangle(a, false, false), CUSPARSE_FORMAT_CSR, CUDA_R_64F, false, base);
  const int entries = static_cast<int>(singular.values->count);
  singular.values->set(entries - 1, 0);
  auto* const data = reinterpret_cast<double*>(singular.values->data);
  double limit = 1e-9, other = 5;
  for (const int replaces : {0, 1}) {
    SPARSE(cusparseDcsrilu02_numericBoost(handle, info, replaces, &limit, &other));
    SPARSE(cusparseDcsrilu02_analysis(handle, 9, entries, descriptor, data, ints(*singular.offsets),
                                      ints(*singular.indices), info,
                                      CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer.data));
    SPARSE(cusparseDcsrilu02(handle, 9, entries, descriptor, data, ints(*singular.offsets),
                             ints(*singular.indices), info, CUSPARSE_SOLVE_POLICY_USE_LEVEL,
                             buffer.data));
    const cusparseStatus_t status = cusparseXcsrilu02_zeroPivot(handle, info, &position);
    CHECK(status == (replaces ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
    CHECK(position == (replaces ? -1 : 8 + base));
  }
  CHECK(singular.values->get(entries - 1) == Complex(5));
  SPARSE(cusparseDestroyCsrilu02Info(info));
  SPARSE(cusparseDestroyMatDescr(descriptor));
}

// The same of L L', of a symmetric matrix.
void check_cholesky() {
  Matrix a = dominant(9, CUDA_R_32F);
  const Matrix turned = op(CUSPARSE_OPERATION_TRANSPOSE, a);
  for (size_t i = 0; i < a.values.size(); ++i)
    a.values[i] += turned.values[i];
  const Stored stored(triangle(a, true, false), CUSPARSE_FORMAT_CSR, CUDA_R_32F);
  const int n = static_cast<int>(stored.values->count), *const offsets = ints(*stored.offsets),
            *const indices = ints(*stored.indices);
  auto* const values = reinterpret_cast<float*>(stored.values->data);
  cusparseMatDescr_t descriptor;
  csric02Info_t info;
  SPARSE(cusparseCreateMatDescr(&descriptor));
  SPARSE(cusparseCreateCsric02Info(&info));
  int bytes = 0, position = 7;
  SPARSE(cusparseScsric02_bufferSize(handle, 9, n, descriptor, values, offsets, indices, info,
                                     &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseScsric02_analysis(handle, 9, n, descriptor, values, offsets, indices, info,
                                   CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data));
  SPARSE(cusparseScsric02(handle, 9, n, descriptor, values, offsets, indices, info,
                          CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer.data));
  SPARSE(cusparseXcsric02_zeroPivot(handle, info, &position));
  CHECK(position == -1);
  Matrix l(9, 9);
  for (int i = 0; i < 9; ++i) {
    for (int k = stored.offsets->get(i); k < stored.offsets->get(i + 1); ++k)
      l.at(i, stored.indices->get(k)) = stored.values->get(k);
  }
  const Matrix both = product(1, l, op(CUSPARSE_OPERATION_TRANSPOSE, l), 0, l);
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j <= i; ++j)
      CHECK(a.at(i, j) == Complex(0) || std::abs(both.at(i, j) - a.at(i, j)) < 1e-4);
  }
  SPARSE(cusparseDestroyCsric02Info(info));
  SPARSE(cusparseDestroyMatDescr(descriptor));
}

constexpr int kEquations = 11, kSystems = 3, kGap = 2;

// Element i of diagonal d (0 in the middle) of a system; none outside of the matrix.
double element(int d, int i, int system) {
  if (i + d < 0 || i + d >= kEquations) return 0;
  return d == 0 ? 8 + i % 4 + system : (i * 5 + d * 3 + system + 20) % 7 - 3;
}
double right_side(int i, int system) {
  return (i * 3 + system) % 5 - 1;
}

// Multiplies a solution by the matrix of a system.
template <typename At>
void check_solution(int width, int system, int of_system, At x) {
  for (int i = 0; i < kEquations; ++i) {
    double sum = 0;
    for (int d = -width; d <= width; ++d)
      if (i + d >= 0 && i + d < kEquations) sum += element(d, i, of_system) * x(i + d);
    CHECK(std::abs(sum - right_side(i, system)) < 1e-9);
  }
}

// All systems: element i of number s is at `place(i, s)`.
template <typename Place>
Values stored_diagonal(int d, size_t count, Place place) {
  std::vector<Complex> values(count, Complex(55));
  for (int s = 0; s < kSystems; ++s) {
    for (int i = 0; i < kEquations; ++i)
      values[place(i, s)] = d == 9 ? right_side(i, s) : element(d, i, s);
  }
  return Values(CUDA_R_64F, values);
}

double* doubles(const Values& values) {
  return reinterpret_cast<double*>(values.data);
}

void check_diagonals() {
  const auto beside = [](int i, int s) { return i * kSystems + s; };
  const auto behind = [](int i, int s) { return s * (kEquations + kGap) + i; };
  constexpr size_t kBeside = kEquations * kSystems, kBehind = (kEquations + kGap) * kSystems;
  size_t bytes = 0;
  for (const bool exchanges : {true, false}) {
    const Values low = stored_diagonal(-1, kBehind, behind),
                 middle = stored_diagonal(0, kBehind, behind),
                 high = stored_diagonal(1, kBehind, behind),
                 x = stored_diagonal(9, kBehind, behind);
    const auto size =
        exchanges ? cusparseDgtsv2_bufferSizeExt : cusparseDgtsv2_nopivot_bufferSizeExt;
    const auto solve = exchanges ? cusparseDgtsv2 : cusparseDgtsv2_nopivot;
    SPARSE(size(handle, kEquations, kSystems, doubles(low), doubles(middle), doubles(high),
                doubles(x), kEquations + kGap, &bytes));
    const Buffer buffer(bytes);
    SPARSE(solve(handle, kEquations, kSystems, doubles(low), doubles(middle), doubles(high),
                 doubles(x), kEquations + kGap, buffer.data));
    CHECK_OK(cudaDeviceSynchronize());
    for (int s = 0; s < kSystems; ++s)
      check_solution(1, s, 0, [&](int i) { return x.get(behind(i, s)).real(); });
    CHECK(x.get(kEquations) == Complex(55));
  }
  {
    const Values low = stored_diagonal(-1, kBehind, behind),
                 middle = stored_diagonal(0, kBehind, behind),
                 high = stored_diagonal(1, kBehind, behind),
                 x = stored_diagonal(9, kBehind, behind);
    SPARSE(cusparseDgtsv2StridedBatch_bufferSizeExt(handle, kEquations, doubles(low),
                                                    doubles(middle), doubles(high), doubles(x),
                                                    kSystems, kEquations + kGap, &bytes));
    const Buffer buffer(bytes);
    SPARSE(cusparseDgtsv2StridedBatch(handle, kEquations, doubles(low), doubles(middle),
                                      doubles(high), doubles(x), kSystems, kEquations + kGap,
                                      buffer.data));
    CHECK_OK(cudaDeviceSynchronize());
    for (int s = 0; s < kSystems; ++s)
      check_solution(1, s, s, [&](int i) { return x.get(behind(i, s)).real(); });
  }
  for (int algorithm = 0; algorithm < 3; ++algorithm) {
    const Values low = stored_diagonal(-1, kBeside, beside),
                 middle = stored_diagonal(0, kBeside, beside),
                 high = stored_diagonal(1, kBeside, beside),
                 x = stored_diagonal(9, kBeside, beside);
    SPARSE(cusparseDgtsvInterleavedBatch_bufferSizeExt(handle, algorithm, kEquations, doubles(low),
                                                       doubles(middle), doubles(high), doubles(x),
                                                       kSystems, &bytes));
    const Buffer buffer(bytes);
    SPARSE(cusparseDgtsvInterleavedBatch(handle, algorithm, kEquations, doubles(low),
                                         doubles(middle), doubles(high), doubles(x), kSystems,
                                         buffer.data));
    CHECK_OK(cudaDeviceSynchronize());
    for (int s = 0; s < kSystems; ++s)
      check_solution(1, s, s, [&](int i) { return x.get(beside(i, s)).real(); });
  }
  const Values lowest = stored_diagonal(-2, kBeside, beside),
               low = stored_diagonal(-1, kBeside, beside),
               middle = stored_diagonal(0, kBeside, beside),
               high = stored_diagonal(1, kBeside, beside),
               highest = stored_diagonal(2, kBeside, beside),
               x = stored_diagonal(9, kBeside, beside);
  SPARSE(cusparseDgpsvInterleavedBatch_bufferSizeExt(
      handle, 0, kEquations, doubles(lowest), doubles(low), doubles(middle), doubles(high),
      doubles(highest), doubles(x), kSystems, &bytes));
  const Buffer buffer(bytes);
  SPARSE(cusparseDgpsvInterleavedBatch(handle, 0, kEquations, doubles(lowest), doubles(low),
                                       doubles(middle), doubles(high), doubles(highest), doubles(x),
                                       kSystems, buffer.data));
  CHECK_OK(cudaDeviceSynchronize());
  for (int s = 0; s < kSystems; ++s)
    check_solution(2, s, s, [&](int i) { return x.get(beside(i, s)).real(); });
}

int main() {
  SPARSE(cusparseCreate(&handle));
  for (const cudaDataType type : {CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F}) {
    for (const cusparseOperation_t how : kOperations) {
      if (!is_complex(type) && how == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) continue;
      for (const bool lower : {true, false}) {
        for (const bool unit : {true, false}) {
          for (const auto format :
               {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_SLICED_ELLPACK})
            check_vector(format, type, how, lower, unit);
        }
        check_matrix(type, how, kPlain, lower);
        check_matrix(type, how, CUSPARSE_OPERATION_TRANSPOSE, lower);
      }
    }
  }
  check_lu(CUSPARSE_INDEX_BASE_ZERO);
  check_lu(CUSPARSE_INDEX_BASE_ONE);
  check_cholesky();
  check_diagonals();
  SPARSE(cusparseDestroy(handle));
  puts("done");
}
