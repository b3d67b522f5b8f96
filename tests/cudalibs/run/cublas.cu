// cuBLAS: each call is compared with sums by plain loops of the program.
// expect: done
// stderr: cublasSaxpy: the vector x has room for 12 bytes of the 16
#include <cublas_v2.h>

#include <cmath>
#include <vector>

#include "cublas_check.h"

#ifndef CUBLAS_API_H_
#error "helpers choose their overloads for cuBLAS by this name"
#endif

cublasHandle_t handle;

// A matrix or vector on the device, of the given numbers or of distinct numbers.
template <typename T>
struct Device {
  T* data;
  size_t n;
  explicit Device(const std::vector<T>& values) : n(values.size()) {
    cudaMalloc(&data, n * sizeof(T));
    BLAS(cublasSetVector(n, sizeof(T), values.data(), 1, data, 1));
  }
  ~Device() { cudaFree(data); }
  std::vector<T> values() const {
    std::vector<T> host(n);
    BLAS(cublasGetVector(n, sizeof(T), data, 1, host.data(), 1));
    return host;
  }
};

template <typename T>
bool near(const std::vector<T>& a, const std::vector<T>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!(std::fabs(double(a[i]) - double(b[i])) < 1e-5)) return false;
  }
  return a.size() == b.size();
}

void check_vectors() {
  const Device<float> x({1, -4, 3}), y({2, 0, 5});
  const float two = 2;
  float sum, length, product;
  int largest, smallest;
  BLAS(cublasSaxpy(handle, 3, &two, x.data, 1, y.data, 1));
  CHECK(near(y.values(), {4, -8, 11}));
  BLAS(cublasSdot(handle, 3, x.data, 1, y.data, -1, &product));  // y from its end
  BLAS(cublasSasum(handle, 3, x.data, 1, &sum));
  BLAS(cublasSnrm2(handle, 2, x.data, 2, &length));
  BLAS(cublasIsamax(handle, 3, x.data, 1, &largest));
  BLAS(cublasIsamin(handle, 3, x.data, 1, &smallest));
  CHECK(product == 11 + 32 + 12 && sum == 8 && std::fabs(length - std::sqrt(10.f)) < 1e-6f);
  CHECK(largest == 2 && smallest == 1);
  BLAS(cublasSscal(handle, 3, &two, x.data, 1));
  BLAS(cublasSswap(handle, 3, x.data, 1, y.data, 1));
  CHECK(near(y.values(), {2, -8, 6}));
  const Device<float> results({3, 0});
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(cublasSscal(handle, 3, results.data, y.data, 1));
  BLAS(cublasSasum(handle, 3, y.data, 1, results.data + 1));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  CHECK(near(results.values(), {3, 48}));
  // An element past the end.
  CHECK(cublasSaxpy(handle, 4, &two, x.data, 1, y.data, 1) == CUBLAS_STATUS_INVALID_VALUE);
  cudaGetLastError();
}

void check_matrices() {
  // A is 2 x 3, B 3 x 2, column by column.
  const Device<double> a({1, 4, 2, 5, 3, 6}), b({1, 2, 3, 4, 5, 6});
  const Device<double> nan({NAN, NAN, NAN, NAN}), c({1, 1, 1, 1});
  const double one = 1, zero = 0, two = 2;
  BLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, a.data, 2, b.data, 3, &zero,
                   nan.data, 2));
  CHECK(near(nan.values(), {14, 32, 32, 77}));  // C is not read where beta is 0
  BLAS(cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 2, &two, a.data, 2, b.data, 3, &one,
                   c.data, 2));
  CHECK(near(c.values(), {2 * (1 * 1 + 4 * 4) + 1., 2 * (2 * 1 + 5 * 4) + 1.,
                          2 * (1 * 2 + 4 * 5) + 1., 2 * (2 * 2 + 5 * 5) + 1.}));
  const Device<double> y({1, 1, 1});
  BLAS(cublasDgemv(handle, CUBLAS_OP_T, 2, 3, &one, a.data, 2, b.data, 1, &two, y.data, 1));
  CHECK(near(y.values(), {11, 14, 17}));
  const Device<double> turned({0, 0, 0, 0, 0, 0});
  BLAS(cublasDgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, a.data, 2, &zero, nullptr, 3,
                   turned.data, 3));
  CHECK(near(turned.values(), {1, 2, 3, 4, 5, 6}));
  BLAS(cublasDger(handle, 2, 3, &one, b.data, 1, b.data, 2, a.data, 2));
  CHECK(near(a.values(), {2, 6, 5, 11, 8, 16}));
  // Lower: [2 .; 6 5], solved for from the left and the right.
  const Device<double> l({2, 6, NAN, 5}), x({2, 16, 4, 22}), z({2, 16, 4, 22});
  BLAS(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                   CUBLAS_DIAG_NON_UNIT, 2, 2, &one, l.data, 2, x.data, 2));
  CHECK(near(x.values(), {1, 2, 2, 2}));
  BLAS(cublasDtrsm(handle, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                   CUBLAS_DIAG_NON_UNIT, 2, 2, &one, l.data, 2, z.data, 2));
  CHECK(near(z.values(), {1, 8, -.4, -5.2}));
  const Device<double> square({1, 2, NAN, 3}), product({0, 0, 0, 0});
  BLAS(cublasDsymm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &one, square.data, 2,
                   x.data, 2, &zero, product.data, 2));
  CHECK(near(product.values(), {5, 8, 6, 10}));
  CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, a.data, 1, b.data, 3, &zero,
                    nan.data, 2) == CUBLAS_STATUS_INVALID_VALUE);
}

void check_batches_and_types() {
  const Device<float> a({1, 2, 3, 4, 5, 6, 7, 8}), c(std::vector<float>(8));
  const float one = 1, zero = 0;
  BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.data, 2, 4,
                                 a.data, 2, 4, &zero, c.data, 2, 4, 2));
  CHECK(near(c.values(), {7, 10, 15, 22, 67, 78, 91, 106}));
  const Device<const float*> in({a.data + 4, a.data});
  const Device<float*> out({c.data, c.data + 4});
  BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, in.data, 2, in.data, 2,
                          &zero, out.data, 2, 2));
  CHECK(near(c.values(), {67, 78, 91, 106, 7, 10, 15, 22}));
  const Device<__half> h({__float2half(1.5f), __float2half(2), __float2half(3), __float2half(4)});
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, h.data, CUDA_R_16F, 2, h.data,
                    CUDA_R_16F, 2, &zero, c.data, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                    CUBLAS_GEMM_DEFAULT));
  CHECK(near(c.values(), {11.25f, 15, 15, 20, 7, 10, 15, 22}));
  // As before CUDA 11.
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 2, &one, h.data, CUDA_R_16F, 2, h.data,
                    CUDA_R_16F, 2, &zero, c.data, CUDA_R_32F, 2, CUDA_R_32F, CUBLAS_GEMM_DFALT));
  CHECK(near(c.values(), {11.25f, 15, 15, 20, 7, 10, 15, 22}));
  const cuComplex i = make_cuComplex(0, 1), none = make_cuComplex(0, 0);
  const Device<cuComplex> z({make_cuComplex(1, 2)}), w({none});
  BLAS(cublasCgemm(handle, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, 1, &i, z.data, 1, z.data, 1, &none,
                   w.data, 1));
  CHECK(w.values()[0].x == 0 && w.values()[0].y == 5);
}

int main() {
  BLAS(cublasCreate(&handle));
  check_vectors();
  check_matrices();
  check_batches_and_types();
  BLAS(cublasDestroy(handle));
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_NOT_INITIALIZED);
  puts("done");
}
