// cuBLASLt: calls cublasGemmStridedBatchedEx, then applies the epilogue in place.
#include "cublasLt.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "common/core.h"
#include "cublas/call.h"
#include "cublas/number.h"
#include "cublas/products.h"
#include "cuda_fp8.h"

struct cublasLtContext {
  cublasHandle_t handle;
};

using namespace cudacpu;
using namespace cudacpu::blas;

namespace {

Handles<cublasLtContext>& contexts() {
  static auto* contexts = new Handles<cublasLtContext>;
  return *contexts;
}

bool exists(cublasLtHandle_t handle) {
  return handle && contexts().has(handle);
}

// Whether an object holds attributes, and the owner of its memory.
enum Owner : uint64_t { kCaller = 0x63754c7441747472, kLibrary };

// The words of an object: the owner, a bit for each attribute that is set, and the attributes.
constexpr size_t kOwner = 0, kIsSet = 1, kFirst = 2;

template <typename Object>
bool exists(const Object* object) {
  return object && (object->data[kOwner] == kCaller || object->data[kOwner] == kLibrary);
}

template <typename Object>
cublasStatus_t initialize(Object* object, Owner owner) {
  if (!object) return CUBLAS_STATUS_INVALID_VALUE;
  *object = {};
  object->data[kOwner] = owner;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Object>
cublasStatus_t destroy(Object* object) {
  if (!exists(object)) return CUBLAS_STATUS_INVALID_VALUE;
  const uint64_t owner = std::exchange(object->data[kOwner], 0);
  if (owner == kLibrary) delete object;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Object>
cublasStatus_t set_attribute(Object* object, int attribute, const void* value, size_t bytes) {
  constexpr int kAttributes = static_cast<int>(std::size(Object{}.data) - kFirst);
  if (!exists(object) || attribute < 0 || attribute >= kAttributes || !value || bytes == 0 ||
      bytes > sizeof(uint64_t))
    return CUBLAS_STATUS_INVALID_VALUE;
  uint64_t word = 0;
  memcpy(&word, value, bytes);
  object->data[kFirst + static_cast<size_t>(attribute)] = word;
  object->data[kIsSet] |= uint64_t{1} << attribute;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Object, typename T>
T get(const Object& object, int attribute, T otherwise) {
  if (object.data[kIsSet] >> attribute & 1)
    memcpy(&otherwise, &object.data[kFirst + static_cast<size_t>(attribute)], sizeof(T));
  return otherwise;
}

cublasStatus_t describe(cublasLtMatrixLayout_t layout, Owner owner, cudaDataType type,
                        uint64_t rows, uint64_t columns, int64_t ld) {
  if (!layout) return CUBLAS_STATUS_INVALID_VALUE;
  initialize(layout, owner);
  set_attribute(layout, CUBLASLT_MATRIX_LAYOUT_TYPE, &type, sizeof(type));
  set_attribute(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof(rows));
  set_attribute(layout, CUBLASLT_MATRIX_LAYOUT_COLS, &columns, sizeof(columns));
  return set_attribute(layout, CUBLASLT_MATRIX_LAYOUT_LD, &ld, sizeof(ld));
}

cublasStatus_t describe(cublasLtMatmulDesc_t operation, Owner owner, cublasComputeType_t compute,
                        cudaDataType scale) {
  if (!operation) return CUBLAS_STATUS_INVALID_VALUE;
  initialize(operation, owner);
  set_attribute(operation, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, &compute, sizeof(compute));
  return set_attribute(operation, CUBLASLT_MATMUL_DESC_SCALE_TYPE, &scale, sizeof(scale));
}

struct Described {
  cudaDataType type;
  int rows, columns, ld, count;
  long long stride;
  bool by_rows;

  explicit Described(const cublasLtMatrixLayoutOpaque_t& a)
      : type(get(a, CUBLASLT_MATRIX_LAYOUT_TYPE, CUDA_R_32F)),
        rows(static_cast<int>(get(a, CUBLASLT_MATRIX_LAYOUT_ROWS, uint64_t{0}))),
        columns(static_cast<int>(get(a, CUBLASLT_MATRIX_LAYOUT_COLS, uint64_t{0}))),
        ld(static_cast<int>(get(a, CUBLASLT_MATRIX_LAYOUT_LD, int64_t{0}))),
        count(get(a, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 1)),
        stride(get(a, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, 0LL)),
        by_rows(get(a, CUBLASLT_MATRIX_LAYOUT_ORDER, 0) == CUBLASLT_ORDER_ROW) {}

  // A matrix stored by rows is the transposed matrix stored by columns.
  cublasOperation_t operation(cublasOperation_t op) const {
    if (!by_rows) return op;
    return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
  }
};

struct Epilogue {
  int steps;
  const void* bias;
  cudaDataType bias_type;
  void* aux;
  int64_t aux_ld;

  Epilogue(const cublasLtMatmulDescOpaque_t& a, cudaDataType type)
      : steps(get(a, CUBLASLT_MATMUL_DESC_EPILOGUE, int{CUBLASLT_EPILOGUE_DEFAULT})),
        bias(get(a, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(nullptr))),
        bias_type(get(a, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, type)),
        aux(get(a, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(nullptr))),
        aux_ld(get(a, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t{0})) {}

  bool is_known() const {
    switch (steps) {
      case CUBLASLT_EPILOGUE_DEFAULT:
      case CUBLASLT_EPILOGUE_RELU:
      case CUBLASLT_EPILOGUE_BIAS:
      case CUBLASLT_EPILOGUE_RELU_BIAS:
      case CUBLASLT_EPILOGUE_GELU:
      case CUBLASLT_EPILOGUE_GELU_AUX:
      case CUBLASLT_EPILOGUE_GELU_BIAS:
      case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
      case CUBLASLT_EPILOGUE_DGELU:
        return true;
      default:
        return false;
    }
  }
  bool has(int step) const { return (steps & step) == step; }
};

constexpr double kRootOfTwoOverPi = 0.79788456080286535588, kCubic = 0.044715;

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(kRootOfTwoOverPi * (x + kCubic * x * x * x)));
}
double gelu_slope(double x) {
  const double t = std::tanh(kRootOfTwoOverPi * (x + kCubic * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * kRootOfTwoOverPi * (1 + 3 * kCubic * x * x);
}

template <typename T, typename Bias>
void finish(Call& call, const Epilogue& epilogue, T* d, const Described& layout) {
  const Bias* bias = nullptr;
  T* aux = nullptr;
  const bool derives = epilogue.has(CUBLASLT_EPILOGUE_DGELU);
  if (epilogue.has(CUBLASLT_EPILOGUE_BIAS))
    bias = call.reads(static_cast<const Bias*>(epilogue.bias), layout.rows, 1, layout.rows,
                      "the bias");
  if (derives)
    call.reads(static_cast<const T*>(epilogue.aux), layout.rows, layout.columns, epilogue.aux_ld,
               "the epilogue's matrix");
  else if (epilogue.has(CUBLASLT_EPILOGUE_GELU_AUX))
    call.writes(static_cast<T*>(epilogue.aux), layout.rows, layout.columns, epilogue.aux_ld,
                "the epilogue's matrix", false);
  if (epilogue.has(128)) aux = static_cast<T*>(epilogue.aux);
  if (!call.valid) return;
  using Sum = typename Number<T>::Sum;
  for (int64_t j = 0; j < layout.columns; ++j) {
    for (int64_t i = 0; i < layout.rows; ++i) {
      T& place = d[i + j * layout.ld];
      double value = Number<T>::load(place);
      if (bias) value += Number<Bias>::load(bias[i]);
      if (derives) {
        value *= gelu_slope(Number<T>::load(aux[i + j * epilogue.aux_ld]));
      } else if (aux) {
        Number<T>::store(aux[i + j * epilogue.aux_ld], static_cast<Sum>(value));
      }
      if (epilogue.has(CUBLASLT_EPILOGUE_GELU)) value = gelu(value);
      if (epilogue.has(CUBLASLT_EPILOGUE_RELU)) value = value > 0 ? value : 0;
      Number<T>::store(place, static_cast<Sum>(value));
    }
  }
}

cublasStatus_t finish(cublasHandle_t handle, const Epilogue& epilogue, void* d,
                      const Described& layout) {
  if (epilogue.steps == CUBLASLT_EPILOGUE_DEFAULT) return CUBLAS_STATUS_SUCCESS;
  return with_type(layout.type, [&](auto* out) {
    return with_type(epilogue.bias_type, [&](auto* in) {
      using T = std::remove_const_t<std::remove_pointer_t<decltype(out)>>;
      using Bias = std::remove_const_t<std::remove_pointer_t<decltype(in)>>;
      return run(handle, "cublasLtMatmul", [=](Call& call) {
        for (int i = 0; i < layout.count && call.valid; ++i)
          finish<T, Bias>(call, epilogue, static_cast<T*>(d) + i * layout.stride, layout);
      });
    });
  });
}

// ---- 8-bit floats ----
bool is_fp8(cudaDataType type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

// Calls `function` with a null pointer to the type, which may be an 8-bit float.
template <typename Function>
cublasStatus_t with_short_type(cudaDataType type, Function function) {
  if (type == CUDA_R_8F_E4M3) return function(static_cast<__nv_fp8_e4m3*>(nullptr));
  if (type == CUDA_R_8F_E5M2) return function(static_cast<__nv_fp8_e5m2*>(nullptr));
  return with_type(type, function);
}

// The elements of a matrix as floats by columns, transposed if `turned`.
std::vector<float> floats_of(Call& call, const void* data, const Described& layout, bool turned,
                             const char* role) {
  std::vector<float> floats;
  with_short_type(layout.type, [&](auto* type) {
    const auto* a = call.reads(static_cast<const std::remove_pointer_t<decltype(type)>*>(data),
                               layout.rows, layout.columns, layout.ld, role);
    const int64_t height = turned ? layout.columns : layout.rows;
    const int64_t width = turned ? layout.rows : layout.columns;
    for (int64_t i = 0; call.valid && i < height * width; ++i) {
      const int64_t row = i % height, column = i / height;
      floats.push_back(
          static_cast<float>(turned ? a[column + row * layout.ld] : a[row + column * layout.ld]));
    }
    return CUBLAS_STATUS_SUCCESS;
  });
  return floats;
}

// The number at a scale pointer, 1 for null.
float scale_at(Call& call, const float* place) {
  if (!place) return 1;
  call.reads(place, 1, 1, 1, "a scale");
  return call.valid ? *place : 1;
}

// A product of matrices of 8-bit floats.
struct ShortProduct {
  Described left, right, in, out;
  const void *a, *b, *c;
  void* d;
  bool turned_a, turned_b;
  Epilogue epilogue;
  Factor<float> alpha, beta;
  const float *scale_a, *scale_b, *scale_c, *scale_d;
  float* largest;

  void run(Call& call) const {
    const int64_t rows = out.rows, columns = out.columns;
    const auto a_floats = floats_of(call, a, left, turned_a, "matrix A");
    const auto b_floats = floats_of(call, b, right, turned_b, "matrix B");
    const float factor = alpha.get(call) * scale_at(call, scale_a) * scale_at(call, scale_b);
    float factor_c = beta.get(call);
    std::vector<float> sums(static_cast<size_t>(rows * columns)), c_floats(sums), bias(sums);
    if (factor_c != 0) {
      factor_c *= scale_at(call, scale_c);
      c_floats = floats_of(call, c, in, false, "matrix C");
    }
    if (epilogue.has(CUBLASLT_EPILOGUE_BIAS)) {
      Described column = out;
      column.type = epilogue.bias_type;
      column.columns = 1;
      bias = floats_of(call, epilogue.bias, column, false, "the bias");
    }
    const float of_d = is_fp8(out.type) ? scale_at(call, scale_d) : 1;
    if (largest) call.writes(largest, 1, 1, 1, "the largest absolute value", false);
    if (!call.valid) return;
    multiply_columns(a_floats.data(), b_floats.data(), sums.data(), rows, columns,
                     turned_a ? left.rows : left.columns);
    float most = 0;
    for (size_t i = 0; i < sums.size(); ++i) {
      float value = factor * sums[i] + factor_c * c_floats[i];
      if (epilogue.has(CUBLASLT_EPILOGUE_BIAS)) value += bias[i % static_cast<size_t>(rows)];
      if (epilogue.has(CUBLASLT_EPILOGUE_GELU)) value = static_cast<float>(gelu(value));
      if (epilogue.has(CUBLASLT_EPILOGUE_RELU)) value = value > 0 ? value : 0;
      most = std::max(most, std::fabs(value));
      sums[i] = value * of_d;
    }
    if (largest) *largest = most;
    with_short_type(out.type, [&](auto* type) {
      using D = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
      D* const results = call.writes(static_cast<D*>(d), rows, columns, out.ld, "matrix D", false);
      for (int64_t i = 0; call.valid && i < rows * columns; ++i)
        results[i % rows + i / rows * out.ld] = static_cast<D>(sums[static_cast<size_t>(i)]);
      return CUBLAS_STATUS_SUCCESS;
    });
  }
};

cublasStatus_t multiply(cublasHandle_t handle, const ShortProduct& product) {
  const auto nothing = [](auto*) { return CUBLAS_STATUS_SUCCESS; };
  const int steps = product.epilogue.steps;
  if (product.out.count > 1 || product.out.by_rows || steps >= CUBLASLT_EPILOGUE_DGELU ||
      with_type(product.in.type, nothing) != CUBLAS_STATUS_SUCCESS ||
      with_short_type(product.out.type, nothing) != CUBLAS_STATUS_SUCCESS ||
      with_type(product.epilogue.bias_type, nothing) != CUBLAS_STATUS_SUCCESS) {
    explain(
        "cublasLtMatmul: the CPU device multiplies 8-bit floats one product at a time, by columns, "
        "with the epilogues of bias, ReLU and GELU");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return run(handle, "cublasLtMatmul", [product](Call& call) { product.run(call); });
}

size_t element_bytes(cudaDataType type) {
  switch (type) {
    case CUDA_R_64F:
      return 8;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_8I:
      return 1;
    default:
      return 4;
  }
}

}  // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = contexts().add({open_handle()});
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  if (!exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  close_handle(handle->handle);
  contexts().remove(handle);
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasLtGetVersion() {
  return CUBLAS_VERSION;
}

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type,
                                        uint64_t rows, uint64_t columns, int64_t ld) {
  return describe(layout, kCaller, type, rows, columns, ld);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t ld) {
  if (!layout) return CUBLAS_STATUS_INVALID_VALUE;
  return describe(*layout = new cublasLtMatrixLayoutOpaque_t, kLibrary, type, rows, columns, ld);
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return destroy(layout);
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, size_t bytes) {
  return set_attribute(layout, attribute, value, bytes);
}

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t operation, cublasComputeType_t compute,
                                      cudaDataType_t scale) {
  return describe(operation, kCaller, compute, scale);
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* operation,
                                        cublasComputeType_t compute, cudaDataType_t scale) {
  if (!operation) return CUBLAS_STATUS_INVALID_VALUE;
  return describe(*operation = new cublasLtMatmulDescOpaque_t, kLibrary, compute, scale);
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) {
  return destroy(operation);
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t bytes) {
  return set_attribute(operation, attribute, value, bytes);
}

cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  return initialize(preference, kCaller);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  if (!preference) return CUBLAS_STATUS_INVALID_VALUE;
  return initialize(*preference = new cublasLtMatmulPreferenceOpaque_t, kLibrary);
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy(preference);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t bytes) {
  return set_attribute(preference, attribute, value, bytes);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* found) {
  if (!exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!exists(operation) || !exists(a) || !exists(b) || !exists(c) || !exists(d) ||
      !exists(preference) || wanted < 1 || !results || !found)
    return CUBLAS_STATUS_INVALID_VALUE;
  results[0] = {};
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void* alpha, const void* a, cublasLtMatrixLayout_t a_layout,
                              const void* b, cublasLtMatrixLayout_t b_layout, const void* beta,
                              const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*,
                              size_t, cudaStream_t stream) {
  if (!exists(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!exists(operation) || !exists(a_layout) || !exists(b_layout) || !exists(c_layout) ||
      !exists(d_layout) || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Described left(*a_layout), right(*b_layout), in(*c_layout), out(*d_layout);
  const auto op_a = left.operation(get(*operation, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_N));
  const auto op_b = right.operation(get(*operation, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N));
  const Epilogue epilogue(*operation, out.type);
  const bool is_short = is_fp8(left.type) && is_fp8(right.type);
  if (!epilogue.is_known() || (out.by_rows && epilogue.steps != CUBLASLT_EPILOGUE_DEFAULT) ||
      (in.type != out.type && !is_short) || in.by_rows != out.by_rows) {
    explain(
        "cublasLtMatmul: the CPU device has the epilogues of bias, ReLU, GELU and GELU's "
        "derivative on columns, with C and D of one type and order");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  // op(A) is rows x inner.
  const bool turned_a = (op_a == CUBLAS_OP_N) == left.by_rows;
  const int rows = turned_a ? left.columns : left.rows;
  const int inner = turned_a ? left.rows : left.columns;
  const bool turned_b = (op_b == CUBLAS_OP_N) == right.by_rows;
  const int columns = turned_b ? right.rows : right.columns;
  if ((turned_b ? right.columns : right.rows) != inner || out.rows != rows ||
      out.columns != columns || in.rows != rows || in.columns != columns)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cublasHandle_t blas = handle->handle;
  blas->stream = stream;
  blas->pointer_mode = get(*operation, CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLAS_POINTER_MODE_HOST);
  if (is_short) {
    const auto pointer = [&](int attribute) {
      return get(*operation, attribute, static_cast<float*>(nullptr));
    };
    Epilogue short_epilogue(*operation, is_fp8(out.type) ? CUDA_R_16BF : out.type);
    return multiply(blas, {left,
                           right,
                           in,
                           out,
                           a,
                           b,
                           c,
                           d,
                           turned_a,
                           turned_b,
                           short_epilogue,
                           {blas, static_cast<const float*>(alpha)},
                           {blas, static_cast<const float*>(beta)},
                           pointer(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER),
                           pointer(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER),
                           pointer(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER),
                           pointer(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER),
                           pointer(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER)});
  }
  const size_t bytes = element_bytes(out.type);
  const int height = out.by_rows ? columns : rows, width = out.by_rows ? rows : columns;
  const auto scale = get(*operation, CUBLASLT_MATMUL_DESC_SCALE_TYPE, CUDA_R_32F);
  // C is not read where beta is 0: C may be null.
  static constexpr char kZero[8] = {};
  const bool adds = blas->pointer_mode == CUBLAS_POINTER_MODE_DEVICE ||
                    memcmp(beta, kZero, element_bytes(scale)) != 0;
  for (int i = 0; adds && c != d && i < out.count; ++i) {
    const cudaError_t copied = cudaMemcpy2DAsync(
        static_cast<char*>(d) + i * out.stride * static_cast<long long>(bytes), out.ld * bytes,
        static_cast<const char*>(c) + i * in.stride * static_cast<long long>(bytes), in.ld * bytes,
        height * bytes, width, cudaMemcpyDeviceToDevice, stream);
    if (copied != cudaSuccess) return status_of(copied);
  }
  const auto compute = get(*operation, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLAS_COMPUTE_32F);
  // A product stored by rows is the product of the transposed factors in reverse order.
  const auto other = [](cublasOperation_t op) {
    return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
  };
  const cublasStatus_t status =
      out.by_rows ? cublasGemmStridedBatchedEx(
                        blas, other(op_b), other(op_a), columns, rows, inner, alpha, b, right.type,
                        right.ld, right.stride, a, left.type, left.ld, left.stride, beta, d,
                        out.type, out.ld, out.stride, out.count, compute, CUBLAS_GEMM_DEFAULT)
                  : cublasGemmStridedBatchedEx(blas, op_a, op_b, rows, columns, inner, alpha, a,
                                               left.type, left.ld, left.stride, b, right.type,
                                               right.ld, right.stride, beta, d, out.type, out.ld,
                                               out.stride, out.count, compute, CUBLAS_GEMM_DEFAULT);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return finish(blas, epilogue, d, out);
}
