// The number types of cuBLAS, and the types in which they are computed.
#pragma once

#include <complex>

#include "base/error.h"
#include "cublas_v2.h"

namespace cudacpu::blas {

// The type in which numbers are computed: a half is summed as a float, complex numbers as
// std::complex.
template <typename T>
struct Number {
  using Sum = T;
  static Sum load(const T& x) { return x; }
  static void store(T& place, Sum x) { place = x; }
};
template <>
struct Number<__half> {
  using Sum = float;
  static float load(const __half& x) { return __half2float(x); }
  static void store(__half& place, float x) { place = __float2half(x); }
};
template <>
struct Number<__nv_bfloat16> {
  using Sum = float;
  static float load(const __nv_bfloat16& x) { return __bfloat162float(x); }
  static void store(__nv_bfloat16& place, float x) { place = __float2bfloat16(x); }
};
template <>
struct Number<signed char> {
  using Sum = int;
  static int load(signed char x) { return x; }
};
template <typename Pair, typename T>
struct Complex {
  using Sum = std::complex<T>;
  static Sum load(const Pair& z) { return {z.x, z.y}; }
  static void store(Pair& place, Sum z) { place = {z.real(), z.imag()}; }
};
template <>
struct Number<cuComplex> : Complex<cuComplex, float> {};
template <>
struct Number<cuDoubleComplex> : Complex<cuDoubleComplex, double> {};

// Calls `function` with a null pointer to the type.
template <typename Function>
cublasStatus_t with_type(cudaDataType type, Function function) {
  switch (type) {
    case CUDA_R_32F:
      return function(static_cast<const float*>(nullptr));
    case CUDA_R_64F:
      return function(static_cast<const double*>(nullptr));
    case CUDA_R_16F:
      return function(static_cast<const __half*>(nullptr));
    case CUDA_R_16BF:
      return function(static_cast<const __nv_bfloat16*>(nullptr));
    default:
      explain(
          "cublasGemmEx: the CPU device multiplies float, double, __half, __nv_bfloat16 and "
          "int8, not data type %d",
          static_cast<int>(type));
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

}  // namespace cudacpu::blas
