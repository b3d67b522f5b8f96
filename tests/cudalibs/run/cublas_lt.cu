// cuBLASLt: products with a bias, ReLU or GELU, in batches, and of matrices by rows.
// expect: done
// stderr: cublasLtMatmul: the CPU device has the epilogues of bias, ReLU, GELU and GELU's derivative
#include <cublasLt.h>
#include <cuda_fp8.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "../../cpudevice/run/check.h"

#define BLAS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

cublasLtHandle_t handle;

template <typename T>
T* on_device(const std::vector<T>& values) {
  T* data = nullptr;
  cudaMallocManaged(&data, values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i)
    data[i] = values[i];
  return data;
}

struct Matrix {
  float* data;
  cublasLtMatrixLayout_t layout = nullptr;

  Matrix(const std::vector<float>& values, int rows, int columns, int ld, bool by_rows = false)
      : data(on_device(values)) {
    BLAS(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, rows, columns, ld));
    const cublasLtOrder_t order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    BLAS(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                          sizeof(order)));
  }
  ~Matrix() {
    BLAS(cublasLtMatrixLayoutDestroy(layout));
    cudaFree(data);
  }
  void batch(int count, int64_t stride) {
    BLAS(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                          sizeof(count)));
    BLAS(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                          &stride, sizeof(stride)));
  }
};

struct Operation {
  cublasLtMatmulDesc_t description = nullptr;

  Operation() { BLAS(cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F)); }
  ~Operation() { BLAS(cublasLtMatmulDescDestroy(description)); }
  template <typename T>
  void set(cublasLtMatmulDescAttributes_t attribute, T value) {
    BLAS(cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof(value)));
  }
  cublasStatus_t run(const Matrix& a, const Matrix& b, float beta, const float* c,
                     const Matrix& d) const {
    cublasLtMatmulPreference_t preference;
    BLAS(cublasLtMatmulPreferenceCreate(&preference));
    const size_t workspace = 0;
    BLAS(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &workspace, sizeof(workspace)));
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    BLAS(cublasLtMatmulAlgoGetHeuristic(handle, description, a.layout, b.layout, d.layout, d.layout,
                                        preference, 1, &found, &count));
    BLAS(cublasLtMatmulPreferenceDestroy(preference));
    CHECK(count == 1);
    const float one = 1;
    const cublasStatus_t status =
        cublasLtMatmul(handle, description, &one, a.data, a.layout, b.data, b.layout, &beta, c,
                       d.layout, d.data, d.layout, &found.algo, nullptr, 0, nullptr);
    cudaDeviceSynchronize();
    return status;
  }
};

bool near(const float* data, const std::vector<float>& wanted) {
  bool all = true;
  for (size_t i = 0; i < wanted.size(); ++i)
    all = all && std::fabs(data[i] - wanted[i]) < 1e-4;
  return all;
}

int main() {
  BLAS(cublasLtCreate(&handle));
  {
    // [1 2; 3 4; 5 6] by columns, times [1 0; 1 -1].
    Matrix a({1, 3, 5, 2, 4, 6}, 3, 2, 3), b({1, 1, 0, -1}, 2, 2, 2);
    Matrix c({1, 1, 1, 1, 1, 1}, 3, 2, 3), d(std::vector<float>(6), 3, 2, 3);
    float* bias = on_device<float>({0, 0, 1});
    Operation plain;
    BLAS(plain.run(a, b, 0, nullptr, d));
    CHECK(near(d.data, {3, 7, 11, -2, -4, -6}));
    BLAS(plain.run(a, b, 2, c.data, d));
    CHECK(near(d.data, {5, 9, 13, 0, -2, -4}));
    Operation relu;
    relu.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_BIAS);
    relu.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    BLAS(relu.run(a, b, 0, nullptr, d));
    CHECK(near(d.data, {3, 7, 12, 0, 0, 0}));
    Operation gelu;
    float* before = on_device<float>(std::vector<float>(6));
    gelu.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
    gelu.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    gelu.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, before);
    gelu.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{3});
    BLAS(gelu.run(a, b, 0, nullptr, d));
    CHECK(near(before, {3, 7, 12, -2, -4, -5}));
    CHECK(near(d.data, {2.99636f, 7, 12, -0.0454023f, -7.0e-5f, 0}));
    // The slope of GELU at 3, 7 and 12 is about 1; at -2 it is -0.0861.
    Operation slope;
    slope.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DGELU);
    slope.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, before);
    slope.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{3});
    BLAS(slope.run(a, b, 0, nullptr, d));
    CHECK(std::fabs(d.data[0] - 3 * 1.01158f) < 1e-3 && std::fabs(d.data[1] - 7) < 1e-3);
    CHECK(std::fabs(d.data[3] - 2 * 0.08610f) < 1e-3);
    Operation other;
    other.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BGRADB);
    CHECK(other.run(a, b, 0, nullptr, d) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK(plain.run(b, a, 0, nullptr, d) == CUBLAS_STATUS_INVALID_VALUE);
    cudaFree(bias);
    cudaFree(before);
  }
  {
    // By rows: [1 2; 3 4] times [1 0; 1 -1]; and A transposed.
    Matrix a({1, 2, 3, 4}, 2, 2, 2, true), b({1, 0, 1, -1}, 2, 2, 2, true);
    Matrix d(std::vector<float>(4), 2, 2, 2, true), columns(std::vector<float>(4), 2, 2, 2);
    Operation plain;
    BLAS(plain.run(a, b, 0, nullptr, d));
    CHECK(near(d.data, {3, -2, 7, -4}));
    BLAS(plain.run(a, b, 0, nullptr, columns));
    CHECK(near(columns.data, {3, 7, -2, -4}));
    plain.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    BLAS(plain.run(a, b, 0, nullptr, d));
    CHECK(near(d.data, {4, -3, 6, -4}));
  }
  {
    Matrix a({1, 2, 3}, 1, 1, 1), b({4, 5, 6}, 1, 1, 1), d(std::vector<float>(3), 1, 1, 1);
    a.batch(3, 1);
    b.batch(3, 1);
    d.batch(3, 1);
    Operation plain;
    BLAS(plain.run(a, b, 0, nullptr, d));
    CHECK(near(d.data, {4, 10, 18}));
  }
  {
    // Objects in variables of the program.
    float *a = on_device<float>({2, 3}), *b = on_device<float>({5, 7}), *d = on_device<float>({0});
    cublasLtMatmulDescOpaque_t operation = {};
    cublasLtMatrixLayoutOpaque_t pair = {}, number = {};
    cublasLtMatmulPreferenceOpaque_t preference = {};
    const cublasOperation_t transposed = CUBLAS_OP_T;
    BLAS(cublasLtMatmulDescInit(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    BLAS(cublasLtMatmulDescSetAttribute(&operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                        sizeof(transposed)));
    BLAS(cublasLtMatrixLayoutInit(&pair, CUDA_R_32F, 2, 1, 2));
    BLAS(cublasLtMatrixLayoutInit(&number, CUDA_R_32F, 1, 1, 1));
    BLAS(cublasLtMatmulPreferenceInit(&preference));
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    BLAS(cublasLtMatmulAlgoGetHeuristic(handle, &operation, &pair, &pair, &number, &number,
                                        &preference, 1, &found, &count));
    const float one = 1, zero = 0;
    BLAS(cublasLtMatmul(handle, &operation, &one, a, &pair, b, &pair, &zero, d, &number, d, &number,
                        &found.algo, nullptr, 0, nullptr));
    cudaDeviceSynchronize();
    CHECK(near(d, {31}));
  }
  {
    // 8-bit floats with scales: 2 * 0.5 * (2 * 5 + 3 * 7) + 4 * 1 = 35, and D is half of it.
    using Short = __nv_fp8_e4m3;
    Short *a = on_device<Short>({Short(2.f), Short(3.f)}),
          *b = on_device<Short>({Short(5.f), Short(7.f)}), *d = on_device<Short>({Short(0.f)});
    __nv_bfloat16* c = on_device<__nv_bfloat16>({__nv_bfloat16(1.f)});
    float* scales = on_device<float>({2, 0.5f, 4, 0.5f, 0});
    cublasLtMatrixLayout_t pair, short_number, number;
    BLAS(cublasLtMatrixLayoutCreate(&pair, CUDA_R_8F_E4M3, 2, 1, 2));
    BLAS(cublasLtMatrixLayoutCreate(&short_number, CUDA_R_8F_E4M3, 1, 1, 1));
    BLAS(cublasLtMatrixLayoutCreate(&number, CUDA_R_16BF, 1, 1, 1));
    Operation product;
    product.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    product.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales);
    product.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales + 1);
    product.set(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, scales + 2);
    product.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scales + 3);
    product.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, scales + 4);
    product.set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, char{1});
    const float one = 1;
    BLAS(cublasLtMatmul(handle, product.description, &one, a, pair, b, pair, &one, c, number, d,
                        short_number, nullptr, nullptr, 0, nullptr));
    cudaDeviceSynchronize();
    CHECK(near(scales + 4, {35}));
    CHECK(static_cast<float>(d[0]) == 18);  // 17.5, rounded to four bits
    BLAS(cublasLtMatrixLayoutDestroy(pair));
    BLAS(cublasLtMatrixLayoutDestroy(short_number));
    BLAS(cublasLtMatrixLayoutDestroy(number));
  }
  BLAS(cublasLtDestroy(handle));
  CHECK(cublasLtDestroy(handle) == CUBLAS_STATUS_NOT_INITIALIZED);
  puts("done");
}
