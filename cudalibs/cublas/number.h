// The number types of cuBLAS, and the type of computation for each.
#pragma once

#include <complex>
#include <cstdint>

#include "common/core.h"
#include "cublas_v2.h"
#include "cudacpu/sums.h"

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

template <typename T>
using Sum = typename Number<T>::Sum;

// Stores f value + g place. The place is not read where g is 0: the place may hold anything.
template <typename T, typename S>
void update(T& place, S f, S value, S g) {
  value *= f;
  if (g != S(0)) value += g * static_cast<S>(Number<T>::load(place));
  Number<T>::store(place, value);
}

template <typename T>
T conjugate(T x) {
  return x;
}
template <typename T>
std::complex<T> conjugate(std::complex<T> z) {
  return std::conj(z);
}
template <typename T>
T real_part(T x) {
  return x;
}
template <typename T>
std::complex<T> real_part(std::complex<T> z) {
  return z.real();
}

// The real numbers of a type: the type itself, or the parts of complex numbers.
template <typename T>
struct RealOf {
  using Type = T;
};
template <>
struct RealOf<cuComplex> {
  using Type = float;
};
template <>
struct RealOf<cuDoubleComplex> {
  using Type = double;
};
template <typename T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
template <typename T>
using Real = typename RealOf<T>::Type;

// Calls `function` with a null pointer to the type.
template <typename Function>
cublasStatus_t with_type(cudaDataType type, Function function) {
  switch (type) {
    case CUDA_R_32F:
      return function(static_cast<float*>(nullptr));
    case CUDA_R_64F:
      return function(static_cast<double*>(nullptr));
    case CUDA_R_16F:
      return function(static_cast<__half*>(nullptr));
    case CUDA_R_16BF:
      return function(static_cast<__nv_bfloat16*>(nullptr));
    default:
      explain(
          "cuBLAS: the CPU device computes with float, double, __half, __nv_bfloat16, complex "
          "numbers and int8, not with data type %d",
          static_cast<int>(type));
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

// The sum of at(0) to at(n - 1).
template <typename T, typename At>
T sum_of(int64_t n, At at) {
  const auto add = [](T x, T y) { return x + y; };
  return n > 0 ? T(0) + sum_of_halves<T>(0, n, add, at) : T(0);
}

// The data type of the real numbers of which a type's numbers consist.
inline cudaDataType real_type(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

// Calls `function` with null pointers to a type of real or complex numbers and to the type of a
// factor: the same type, or the type of its real numbers. Sums are in float or more.
template <typename Function>
cublasStatus_t with_number(cudaDataType type, cudaDataType factor, cudaDataType sum,
                           Function function) {
  const bool is_short = type == CUDA_R_16F || type == CUDA_R_16BF;
  if (sum != (is_short ? CUDA_R_32F : type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto with_factor = [&](auto* number) {
    using T = std::remove_pointer_t<decltype(number)>;
    if (factor == type) return function(number, number);
    if (factor == real_type(sum))
      return function(number,
                      static_cast<Real<std::conditional_t<sizeof(T) == 2, float, T>>*>(nullptr));
    return CUBLAS_STATUS_NOT_SUPPORTED;
  };
  if (type == CUDA_C_32F) return with_factor(static_cast<cuComplex*>(nullptr));
  if (type == CUDA_C_64F) return with_factor(static_cast<cuDoubleComplex*>(nullptr));
  return with_type(type, with_factor);
}

// A pointer to numbers of the type of a null pointer.
template <typename T>
const T* typed(const void* data, T*) {
  return static_cast<const T*>(data);
}
template <typename T>
T* typed(void* data, T*) {
  return static_cast<T*>(data);
}

}  // namespace cudacpu::blas
