// cuBLAS with vectors of complex numbers, rotations, types named by a value, and groups of
// products.
// expect: done
#include <cublas_v2.h>

#include <cmath>
#include <vector>

#include "cublas_check.h"

cublasHandle_t handle;

template <typename T>
struct Device {
  T* data;
  size_t n;
  explicit Device(const std::vector<T>& values) : n(values.size()) {
    cudaMalloc(&data, n * sizeof(T));
    cudaMemcpy(data, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  }
  Device(const Device&) = delete;
  ~Device() { cudaFree(data); }
  T operator[](size_t i) const {
    T x;
    cudaMemcpy(&x, data + i, sizeof x, cudaMemcpyDeviceToHost);
    return x;
  }
};

bool near(double a, double b) {
  return std::fabs(a - b) < 1e-5;
}
bool near(cuDoubleComplex z, double x, double y) {
  return near(z.x, x) && near(z.y, y);
}
bool near(cuComplex z, double x, double y) {
  return near(z.x, x) && near(z.y, y);
}

void check_complex_vectors() {
  const Device<cuComplex> x({{1, 2}, {-3, 4}, {0, 1}}), y({{0, 1}, {2, 0}, {1, 1}});
  cuComplex product;
  float sum, length;
  int largest, smallest;
  BLAS(cublasCdotu(handle, 3, x.data, 1, y.data, 1, &product));
  CHECK(near(product, -2 - 6 - 1, 1 + 8 + 1));
  BLAS(cublasCdotc(handle, 3, x.data, 1, y.data, 1, &product));
  CHECK(near(product, 2 - 6 + 1, 1 - 8 - 1));
  BLAS(cublasScasum(handle, 3, x.data, 1, &sum));  // of both parts, not of absolute values
  BLAS(cublasScnrm2(handle, 3, x.data, 1, &length));
  BLAS(cublasIcamax(handle, 3, x.data, 1, &largest));
  BLAS(cublasIcamin(handle, 3, x.data, 1, &smallest));
  CHECK(sum == 11 && near(length, std::sqrt(31.)) && largest == 2 && smallest == 3);
  const cuComplex i = {0, 1};
  const float two = 2, c = 0, s = 1;
  BLAS(cublasCaxpy(handle, 3, &i, x.data, 1, y.data, 1));
  CHECK(near(y[0], -2, 2) && near(y[1], -2, -3) && near(y[2], 0, 1));
  BLAS(cublasCscal(handle, 1, &i, x.data, 1));
  BLAS(cublasCsscal(handle, 1, &two, x.data, 1));
  CHECK(near(x[0], -4, 2));
  BLAS(cublasCsrot(handle, 3, x.data, 1, y.data, 1, &c, &s));  // x and y change places
  CHECK(near(x[1], -2, -3) && near(y[1], 3, -4));
  BLAS(cublasCrot(handle, 1, x.data, 1, y.data, 1, &c, &i));
  CHECK(near(x[0], 2, 4) && near(y[0], -2, -2));
}

// A running sum of floats would stop at 2^24.
void check_long_sums() {
  const int n = (1 << 24) + (1 << 22);
  const Device<float> ones(std::vector<float>(n, 1));
  float sum, length, product;
  BLAS(cublasSasum(handle, n, ones.data, 1, &sum));
  BLAS(cublasSdot(handle, n, ones.data, 1, ones.data, 1, &product));
  BLAS(cublasSnrm2(handle, n, ones.data, 1, &length));
  CHECK(sum == n && product == n && near(length / std::sqrt(double(n)), 1));
}

void check_rotations() {
  double a = 3, b = 4, c, s;
  BLAS(cublasDrotg(handle, &a, &b, &c, &s));
  CHECK(near(a, 5) && near(c, 0.6) && near(s, 0.8) && near(b, 1 / 0.6));
  const Device<double> place({3, 4, 0, 0});
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(cublasDrotg(handle, place.data, place.data + 1, place.data + 2, place.data + 3));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  CHECK(near(place[0], 5) && near(place[2], 0.6) && near(place[3], 0.8));
  cuDoubleComplex p = {0, 3}, q = {4, 0}, sine;
  double cosine;
  BLAS(cublasZrotg(handle, &p, &q, &cosine, &sine));
  CHECK(near(p, 0, 5) && near(cosine, 0.6) && near(sine, 0, 0.8));
  const Device<cuDoubleComplex> x({{0, 3}}), y({{4, 0}});
  BLAS(cublasZrot(handle, 1, x.data, 1, y.data, 1, &cosine, &sine));
  CHECK(near(x[0], 0, 5) && near(y[0], 0, 0));
  // A modified rotation makes the second number zero, and keeps d1 x1 x1 + d2 y1 y1.
  for (const double y1 : {2., 0.5, 3000.}) {
    double d1 = 2, d2 = 3, x1 = 1.5, parameters[5] = {9, 9, 9, 9, 9};
    const double before = d1 * x1 * x1 + d2 * y1 * y1;
    BLAS(cublasDrotmg(handle, &d1, &d2, &x1, &y1, parameters));
    CHECK(near(d1 * x1 * x1 / before, 1));
    const Device<double> u({1.5}), v({y1});
    BLAS(cublasDrotm(handle, 1, u.data, 1, v.data, 1, parameters));
    CHECK(near(u[0], x1) && near(v[0], 0));
    CHECK(parameters[0] == (y1 == 0.5 ? 0 : 1) && (y1 == 0.5) == (parameters[1] == 9));
  }
  double d1 = 1e-12, d2 = 2e-12, x1 = 1, y1 = 1, parameters[5];
  BLAS(cublasDrotmg(handle, &d1, &d2, &x1, &y1, parameters));
  CHECK(parameters[0] == -1 && d1 > 1e-8 && near(d1 * x1 * x1 * 1e12, 3));
  d1 = -1;
  BLAS(cublasDrotmg(handle, &d1, &d2, &x1, &y1, parameters));
  CHECK(parameters[0] == -1 && d1 == 0 && d2 == 0 && x1 == 0 && parameters[1] == 0);
  y1 = 0;
  d1 = 1;
  BLAS(cublasDrotmg(handle, &d1, &d2, &x1, &y1, parameters));
  const Device<double> u({1.5}), v({2});
  BLAS(cublasDrotm(handle, 1, u.data, 1, v.data, 1, parameters));
  CHECK(parameters[0] == -2 && u[0] == 1.5 && v[0] == 2);
}

void check_named_types() {
  const __half one = __float2half(1), three = __float2half(3);
  const Device<__half> x({one, three}), y({three, one});
  const float two = 2, c = 0, s = 1;
  __half result;
  BLAS(cublasAxpyEx(handle, 2, &two, CUDA_R_32F, x.data, CUDA_R_16F, 1, y.data, CUDA_R_16F, 1,
                    CUDA_R_32F));
  CHECK(__half2float(y[0]) == 5 && __half2float(y[1]) == 7);
  BLAS(cublasScalEx(handle, 2, &two, CUDA_R_32F, y.data, CUDA_R_16F, 1, CUDA_R_32F));
  BLAS(cublasDotEx(handle, 2, x.data, CUDA_R_16F, 1, y.data, CUDA_R_16F, 1, &result, CUDA_R_16F,
                   CUDA_R_32F));
  CHECK(__half2float(result) == 10 + 42);
  BLAS(cublasNrm2Ex(handle, 2, x.data, CUDA_R_16F, 1, &result, CUDA_R_16F, CUDA_R_32F));
  CHECK(__half2float(result) == __half2float(__float2half(std::sqrt(10.f))));
  BLAS(cublasRotEx(handle, 2, x.data, CUDA_R_16F, 1, y.data, CUDA_R_16F, 1, &c, &s, CUDA_R_32F,
                   CUDA_R_32F));
  CHECK(__half2float(x[0]) == 10 && __half2float(y[1]) == -3);
  const Device<cuDoubleComplex> z({{1, 2}}), w({{3, 1}});
  cuDoubleComplex product;
  double length;
  BLAS(cublasDotcEx(handle, 1, z.data, CUDA_C_64F, 1, w.data, CUDA_C_64F, 1, &product, CUDA_C_64F,
                    CUDA_C_64F));
  CHECK(near(product, 5, -5));
  BLAS(cublasNrm2Ex(handle, 1, z.data, CUDA_C_64F, 1, &length, CUDA_R_64F, CUDA_C_64F));
  CHECK(near(length, std::sqrt(5.)));
  CHECK(cublasAxpyEx(handle, 1, &two, CUDA_R_32F, x.data, CUDA_R_16F, 1, w.data, CUDA_C_64F, 1,
                     CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
}

void check_products() {
  const cuComplex one = {1, 0}, none = {0, 0};
  const Device<cuComplex> z({{1, 2}}), w({none});
  BLAS(cublasCgemm3m(handle, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, 1, &one, z.data, 1, z.data, 1, &none,
                     w.data, 1));
  CHECK(near(w[0], 5, 0));
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, z.data, CUDA_C_32F, 1, z.data,
                    CUDA_C_32F, 1, &none, w.data, CUDA_C_32F, 1, CUBLAS_COMPUTE_32F,
                    CUBLAS_GEMM_DEFAULT));
  CHECK(near(w[0], -3, 4));
  const float factor = 2, zero = 0;
  BLAS(cublasCherkEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 1, 1, &factor, z.data, CUDA_C_32F,
                     1, &zero, w.data, CUDA_C_32F, 1));
  CHECK(near(w[0], 10, 0));
  BLAS(cublasCsyrk3mEx(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 1, 1, &one, z.data, CUDA_C_32F,
                       1, &none, w.data, CUDA_C_32F, 1));
  CHECK(near(w[0], -3, 4));

  const Device<float> a({1, 2, 3, 4, 5}), c({0, 0, 0, 0, 0, 0});
  BLAS(cublasSgemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, &factor, a.data, CUDA_R_32F, 2,
                     a.data + 2, CUDA_R_32F, 2, &zero, c.data, CUDA_R_32F, 1));
  CHECK(c[0] == 2 * (3 + 8));
  // A group of two products of 1 x 2 by 2 x 1, and a group of a single product of 2 x 1 by 1 x 2.
  const Device<const float*> left({a.data, a.data + 1, a.data});
  const Device<const float*> right({a.data + 2, a.data + 3, a.data + 3});
  const Device<float*> out({c.data, c.data + 1, c.data + 2});
  const cublasOperation_t op[] = {CUBLAS_OP_N, CUBLAS_OP_N};
  const int m[] = {1, 2}, n[] = {1, 2}, k[] = {2, 1}, lda[] = {1, 2}, ldb[] = {2, 1};
  const int sizes[] = {2, 1};
  const float alpha[] = {1, 10}, beta[] = {0, 0};
  BLAS(cublasSgemmGroupedBatched(handle, op, op, m, n, k, alpha, left.data, lda, right.data, ldb,
                                 beta, out.data, m, 2, sizes));
  const float expected[] = {1 * 3 + 2 * 4, 2 * 4 + 3 * 5, 40, 80, 50, 100};
  for (int i = 0; i < 6; ++i)
    CHECK(c[i] == expected[i]);
  const auto pointers = [](auto* const* p) { return reinterpret_cast<const void* const*>(p); };
  void* const* results = reinterpret_cast<void* const*>(out.data);
  const float half[] = {0.5f, 0.5f};
  BLAS(cublasGemmGroupedBatchedEx(handle, op, op, m, n, k, half, pointers(left.data), CUDA_R_32F,
                                  lda, pointers(right.data), CUDA_R_32F, ldb, beta, results,
                                  CUDA_R_32F, m, 2, sizes, CUBLAS_COMPUTE_32F));
  CHECK(c[1] == 0.5f * 23 && c[5] == 5);
  BLAS(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &factor, pointers(left.data),
                           CUDA_R_32F, 1, pointers(right.data), CUDA_R_32F, 2, &zero, results,
                           CUDA_R_32F, 1, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  CHECK(c[0] == 22 && c[1] == 46);
}

void check_emulation() {
  cublasEmulationStrategy_t strategy;
  int bits;
  BLAS(cublasSetEmulationStrategy(handle, CUBLAS_EMULATION_STRATEGY_EAGER));
  BLAS(cublasGetEmulationStrategy(handle, &strategy));
  BLAS(cublasSetFixedPointEmulationMaxMantissaBitCount(handle, 55));
  BLAS(cublasGetFixedPointEmulationMaxMantissaBitCount(handle, &bits));
  CHECK(strategy == CUBLAS_EMULATION_STRATEGY_EAGER && bits == 55);
  const double third = 1. / 3, zero = 0;
  const Device<double> x({third}), y({0});
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &third, x.data, CUDA_R_64F, 1,
                    x.data, CUDA_R_64F, 1, &zero, y.data, CUDA_R_64F, 1,
                    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUBLAS_GEMM_DEFAULT));
  CHECK(y[0] == third * (third * third));
}

int main() {
  BLAS(cublasCreate(&handle));
  check_emulation();
  check_complex_vectors();
  check_long_sums();
  check_rotations();
  check_named_types();
  check_products();
  BLAS(cublasDestroy(handle));
  puts("done");
}
