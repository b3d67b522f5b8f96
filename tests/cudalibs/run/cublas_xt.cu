// cuBLASXt: products and systems of matrices in the host's memory, compared with plain loops
// expect: done
#include <cublasXt.h>

#include <complex>
#include <vector>

#include "cublas_check.h"

using Wide = std::complex<double>;
constexpr int kSize = 6, kOther = 4, kInner = 5, kPitch = 8;
cublasXtHandle_t handle;

Wide wide(double x) {
  return x;
}
Wide wide(cuDoubleComplex z) {
  return {z.x, z.y};
}
void narrow(Wide z, double& x) {
  x = z.real();
}
void narrow(Wide z, cuDoubleComplex& x) {
  x = {z.real(), z.imag()};
}

unsigned state = 3;
double next() {
  return int((state = state * 1664525 + 1013904223) >> 20) % 2001 / 1000.0 - 1;
}

// A matrix in the host's memory, whose columns lie kPitch elements apart.
template <typename T>
struct Host {
  std::vector<T> at = std::vector<T>(kPitch * kPitch);
  Host() {
    for (T& x : at)
      narrow(Wide(next(), next()), x);
  }
  Wide operator()(int i, int j) const { return wide(at[i + j * kPitch]); }
  Wide op(cublasOperation_t op, int i, int j) const {
    return op == CUBLAS_OP_N   ? (*this)(i, j)
           : op == CUBLAS_OP_T ? (*this)(j, i)
                               : conj((*this)(j, i));
  }
  // As a symmetric, Hermitian or triangular matrix of which the lower triangle is stored.
  Wide symmetric(int i, int j) const { return i >= j ? (*this)(i, j) : (*this)(j, i); }
  Wide hermitian(int i, int j) const {
    return i == j ? (*this)(i, i).real() : i > j ? (*this)(i, j) : conj((*this)(j, i));
  }
  Wide lower(int i, int j) const { return i >= j ? (*this)(i, j) : 0; }
};

template <typename T>
void same(const Host<T>& found, int i, int j, Wide expected, int line) {
  if (!(abs(found(i, j) - expected) <= 1e-12))
    printf("line %d: %g%+gi\n", line, (found(i, j) - expected).real(), expected.real());
}

#define NAMED(name, L, T)                           \
  template <typename... Arguments>                  \
  cublasStatus_t name(T, Arguments... arguments) {  \
    return cublasXt##L##name(handle, arguments...); \
  }
#define NAMES(L, T)  \
  NAMED(gemm, L, T)  \
  NAMED(symm, L, T)  \
  NAMED(spmm, L, T)  \
  NAMED(syrk, L, T)  \
  NAMED(syr2k, L, T) \
  NAMED(syrkx, L, T) \
  NAMED(trmm, L, T)  \
  NAMED(trsm, L, T)
NAMES(D, double)
NAMES(Z, cuDoubleComplex)

template <typename T>
void test(cublasOperation_t op) {
  T alpha, beta;
  narrow(Wide(1.5, 0.5), alpha);
  narrow(Wide(-0.5, 2), beta);
  const Wide f = wide(alpha), g = wide(beta);
  const Host<T> a, b, before;
  const auto fill = CUBLAS_FILL_MODE_LOWER;
  const bool turns = op != CUBLAS_OP_N;
  const auto sum = [](int n, auto term) {
    Wide all = 0;
    for (int l = 0; l < n; ++l)
      all += term(l);
    return all;
  };

  Host<T> c = before;
  BLAS(gemm(T(), op, CUBLAS_OP_N, kSize, kOther, kInner, &alpha, a.at.data(), kPitch, b.at.data(),
            kPitch, &beta, c.at.data(), kPitch));
  for (int j = 0; j < kPitch; ++j) {
    for (int i = 0; i < kPitch; ++i) {
      const bool inside = i < kSize && j < kOther;
      const Wide product = sum(kInner, [&](int l) { return a.op(op, i, l) * b(l, j); });
      same(c, i, j, inside ? f * product + g * before(i, j) : before(i, j), __LINE__);
    }
  }

  for (const bool left : {true, false}) {
    const int size = left ? kSize : kOther;
    const auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    std::vector<T> packed;
    for (int j = 0; j < size; ++j)
      for (int i = j; i < size; ++i)
        packed.push_back(a.at[i + j * kPitch]);
    Host<T> c = before, p = before, t = before, x = before;
    BLAS(symm(T(), side, fill, kSize, kOther, &alpha, a.at.data(), kPitch, b.at.data(), kPitch,
              &beta, c.at.data(), kPitch));
    BLAS(spmm(T(), side, fill, kSize, kOther, &alpha, packed.data(), b.at.data(), kPitch, &beta,
              p.at.data(), kPitch));
    BLAS(trmm(T(), side, fill, op, CUBLAS_DIAG_NON_UNIT, kSize, kOther, &alpha, a.at.data(), kPitch,
              b.at.data(), kPitch, t.at.data(), kPitch));
    // Solved, the product is B again.
    x = t;
    T inverse;
    narrow(1.0 / f, inverse);
    BLAS(trsm(T(), side, fill, op, CUBLAS_DIAG_NON_UNIT, kSize, kOther, &inverse, a.at.data(),
              kPitch, x.at.data(), kPitch));
    Host<T> triangle = a;
    for (int j = 0; j < kPitch; ++j)
      for (int i = 0; i < kPitch; ++i)
        narrow(a.lower(i, j), triangle.at[i + j * kPitch]);
    for (int j = 0; j < kOther; ++j) {
      for (int i = 0; i < kSize; ++i) {
        const Wide product = sum(size, [&](int l) {
          return left ? a.symmetric(i, l) * b(l, j) : b(i, l) * a.symmetric(l, j);
        });
        const Wide triangular = sum(size, [&](int l) {
          return left ? triangle.op(op, i, l) * b(l, j) : b(i, l) * triangle.op(op, l, j);
        });
        same(c, i, j, f * product + g * before(i, j), __LINE__);
        same(p, i, j, f * product + g * before(i, j), __LINE__);
        same(t, i, j, f * triangular, __LINE__);
        if (!(abs(x(i, j) - b(i, j)) < 1e-6)) printf("line %d: not solved\n", __LINE__);
      }
    }
  }

  if (op == CUBLAS_OP_C) return;
  const auto part = [&](const Host<T>& m, int i, int l) { return turns ? m(l, i) : m(i, l); };
  Host<T> k = before, k2 = before, kx = before;
  BLAS(syrk(T(), fill, op, kSize, kInner, &alpha, a.at.data(), kPitch, &beta, k.at.data(), kPitch));
  BLAS(syr2k(T(), fill, op, kSize, kInner, &alpha, a.at.data(), kPitch, b.at.data(), kPitch, &beta,
             k2.at.data(), kPitch));
  BLAS(syrkx(T(), fill, op, kSize, kInner, &alpha, a.at.data(), kPitch, b.at.data(), kPitch, &beta,
             kx.at.data(), kPitch));
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      const auto product = [&](const Host<T>& x, const Host<T>& y) {
        return f * sum(kInner, [&](int l) { return part(x, i, l) * part(y, j, l); });
      };
      const Wide old = before(i, j);
      same(k, i, j, i < j ? old : product(a, a) + g * old, __LINE__);
      same(k2, i, j, i < j ? old : product(a, b) + product(b, a) + g * old, __LINE__);
      same(kx, i, j, i < j ? old : product(a, b) + g * old, __LINE__);
    }
  }
}

void test_hermitian() {
  const cuDoubleComplex alpha = {1.5, 0.5}, beta = {-0.5, 2};
  const double real = 0.75;
  const Host<cuDoubleComplex> a, b, before;
  Host<cuDoubleComplex> c = before, k = before;
  BLAS(cublasXtZhemm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, kSize, kOther, &alpha,
                     a.at.data(), kPitch, b.at.data(), kPitch, &beta, c.at.data(), kPitch));
  BLAS(cublasXtZherk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, kSize, kInner, &real, a.at.data(),
                     kPitch, &real, k.at.data(), kPitch));
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      Wide product = 0, square = 0;
      for (int l = 0; l < kSize; ++l)
        product += a.hermitian(i, l) * b(l, j);
      for (int l = 0; l < kInner; ++l)
        square += a(i, l) * conj(a(j, l));
      if (j < kOther) same(c, i, j, wide(alpha) * product + wide(beta) * before(i, j), __LINE__);
      same(k, i, j, i < j ? before(i, j) : real * square + real * before.hermitian(i, j), __LINE__);
    }
  }
}

int main() {
  int devices[] = {0}, boards = 0, tile = 0;
  const double one = 1;
  double x[] = {2, 3, 4, 5}, y[4] = {};
  BLAS(cublasXtCreate(&handle));
  CHECK(cublasXtDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 2, x, 2, &one, y, 2) ==
        CUBLAS_STATUS_NOT_INITIALIZED);  // no device is selected yet
  BLAS(cublasXtDeviceSelect(handle, 1, devices));
  BLAS(cublasXtGetNumBoards(1, devices, &boards));
  CHECK(boards == 1);
  BLAS(cublasXtSetBlockDim(handle, 64));
  BLAS(cublasXtGetBlockDim(handle, &tile));
  CHECK(tile == 64 && cublasXtSetBlockDim(handle, 0) == CUBLAS_STATUS_INVALID_VALUE);
  BLAS(cublasXtSetPinningMemMode(handle, CUBLASXT_PINNING_ENABLED));
  BLAS(cublasXtSetCpuRatio(handle, CUBLASXT_GEMM, CUBLASXT_DOUBLE, 0.5f));
  CHECK(cublasXtDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 1, x, 2, &one, y, 2) ==
        CUBLAS_STATUS_INVALID_VALUE);
  int wrong[] = {7};
  CHECK(cublasXtDeviceSelect(handle, 1, wrong) == CUBLAS_STATUS_INVALID_VALUE);
  for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    test<double>(op);
    test<cuDoubleComplex>(op);
  }
  test_hermitian();
  // Matrices may lie on the device too.
  double* d_y = nullptr;
  CHECK_OK(cudaMalloc(&d_y, sizeof(y)));
  CHECK_OK(cudaMemcpy(d_y, y, sizeof(y), cudaMemcpyHostToDevice));
  BLAS(cublasXtDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 2, x, 2, &one, d_y, 2));
  CHECK_OK(cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost));
  CHECK(y[0] == 16 && y[1] == 21 && y[2] == 28 && y[3] == 37);
  CHECK_OK(cudaFree(d_y));
  BLAS(cublasXtDestroy(handle));
  printf("done\n");
}
