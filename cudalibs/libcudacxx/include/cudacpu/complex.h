// The complex numbers of Thrust and of cuda::std, for host and device.
#pragma once

#include <cmath>
#include <complex>
#include <istream>
#include <ostream>

#include "cuda_runtime.h"

namespace thrust {

template <typename T>
struct alignas(2 * sizeof(T)) complex {
  using value_type = T;

  constexpr complex() = default;
  CUDACPU_HOST_DEVICE constexpr complex(const T& real, const T& imaginary = T())
      : real_(real), imaginary_(imaginary) {}
  template <typename U>
  CUDACPU_HOST_DEVICE constexpr complex(const complex<U>& z)
      : real_(static_cast<T>(z.real())), imaginary_(static_cast<T>(z.imag())) {}
  template <typename U>
  complex(const std::complex<U>& z)
      : real_(static_cast<T>(z.real())), imaginary_(static_cast<T>(z.imag())) {}
  operator std::complex<T>() const { return {real_, imaginary_}; }

  CUDACPU_HOST_DEVICE constexpr T real() const { return real_; }
  CUDACPU_HOST_DEVICE constexpr T imag() const { return imaginary_; }
  CUDACPU_HOST_DEVICE void real(T value) { real_ = value; }
  CUDACPU_HOST_DEVICE void imag(T value) { imaginary_ = value; }

#define CUDACPU_UPDATE(sign)                                  \
  template <typename U>                                       \
  CUDACPU_HOST_DEVICE complex& operator sign##=(const U& z) { \
    return *this = *this sign complex(z);                     \
  }
  CUDACPU_UPDATE(+)
  CUDACPU_UPDATE(-)
  CUDACPU_UPDATE(*)
  CUDACPU_UPDATE(/)
#undef CUDACPU_UPDATE

 private:
  T real_ = T(), imaginary_ = T();
};

template <typename T>
CUDACPU_HOST_DEVICE complex<T> operator+(const complex<T>& a) {
  return a;
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> operator-(const complex<T>& a) {
  return {-a.real(), -a.imag()};
}

namespace detail {
template <typename T>
CUDACPU_HOST_DEVICE complex<T> add(const complex<T>& a, const complex<T>& b) {
  return {a.real() + b.real(), a.imag() + b.imag()};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> subtract(const complex<T>& a, const complex<T>& b) {
  return {a.real() - b.real(), a.imag() - b.imag()};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> multiply(const complex<T>& a, const complex<T>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
// Scaled by the divisor's size, so that no square overflows.
template <typename T>
CUDACPU_HOST_DEVICE complex<T> divide(const complex<T>& a, const complex<T>& b) {
  const T scale = 1 / (fabs(b.real()) + fabs(b.imag()));
  const complex<T> s(a.real() * scale, a.imag() * scale), t(b.real() * scale, b.imag() * scale);
  const T squares = t.real() * t.real() + t.imag() * t.imag();
  return {(s.real() * t.real() + s.imag() * t.imag()) / squares,
          (s.imag() * t.real() - s.real() * t.imag()) / squares};
}
// The type of an operation's result on two numbers, at least one complex.
template <typename A, typename B>
using joined = complex<decltype(A() + B())>;
}  // namespace detail

#define CUDACPU_OPERATOR(sign, function)                                                       \
  template <typename A, typename B>                                                            \
  CUDACPU_HOST_DEVICE detail::joined<A, B> operator sign(const complex<A>& a,                  \
                                                         const complex<B>& b) {                \
    return detail::function(detail::joined<A, B>(a), detail::joined<A, B>(b));                 \
  }                                                                                            \
  template <typename A, typename B, typename = std::enable_if_t<std::is_arithmetic<B>::value>> \
  CUDACPU_HOST_DEVICE detail::joined<A, B> operator sign(const complex<A>& a, const B& b) {    \
    return detail::function(detail::joined<A, B>(a), detail::joined<A, B>(b));                 \
  }                                                                                            \
  template <typename A, typename B, typename = std::enable_if_t<std::is_arithmetic<A>::value>> \
  CUDACPU_HOST_DEVICE detail::joined<A, B> operator sign(const A& a, const complex<B>& b) {    \
    return detail::function(detail::joined<A, B>(a), detail::joined<A, B>(b));                 \
  }
CUDACPU_OPERATOR(+, add)
CUDACPU_OPERATOR(-, subtract)
CUDACPU_OPERATOR(*, multiply)
CUDACPU_OPERATOR(/, divide)
#undef CUDACPU_OPERATOR

template <typename A, typename B>
CUDACPU_HOST_DEVICE bool operator==(const complex<A>& a, const complex<B>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <typename A, typename B>
CUDACPU_HOST_DEVICE bool operator==(const complex<A>& a, const B& b) {
  return a == complex<A>(b);
}
template <typename A, typename B>
CUDACPU_HOST_DEVICE bool operator!=(const complex<A>& a, const B& b) {
  return !(a == b);
}

template <typename T>
CUDACPU_HOST_DEVICE T abs(const complex<T>& z) {
  return hypot(z.real(), z.imag());
}
template <typename T>
CUDACPU_HOST_DEVICE T arg(const complex<T>& z) {
  return atan2(z.imag(), z.real());
}
template <typename T>
CUDACPU_HOST_DEVICE T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> conj(const complex<T>& z) {
  return {z.real(), -z.imag()};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> polar(const T& length, const T& angle = T()) {
  return {length * cos(angle), length * sin(angle)};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> exp(const complex<T>& z) {
  return thrust::polar<T>(::exp(z.real()), z.imag());
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> log(const complex<T>& z) {
  return {::log(thrust::abs(z)), thrust::arg(z)};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> log10(const complex<T>& z) {
  return thrust::log(z) / T(2.302585092994045684);
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> sqrt(const complex<T>& z) {
  const T length = thrust::abs(z);
  if (length == 0) return {0, z.imag()};
  const T root = ::sqrt((length + fabs(z.real())) / 2), other = z.imag() / (2 * root);
  if (z.real() >= 0) return {root, other};
  return {fabs(other), z.imag() < 0 ? -root : root};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> pow(const complex<T>& z, const complex<T>& exponent) {
  if (z == T(0)) return exponent == T(0) ? complex<T>(1) : complex<T>(0);
  return thrust::exp(thrust::log(z) * exponent);
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> pow(const complex<T>& z, const T& exponent) {
  return thrust::pow(z, complex<T>(exponent));
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> pow(const T& x, const complex<T>& exponent) {
  return thrust::pow(complex<T>(x), exponent);
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> sinh(const complex<T>& z) {
  return {::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag())};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> cosh(const complex<T>& z) {
  return {::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag())};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> tanh(const complex<T>& z) {
  return thrust::sinh(z) / thrust::cosh(z);
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> sin(const complex<T>& z) {
  return {::sin(z.real()) * ::cosh(z.imag()), ::cos(z.real()) * ::sinh(z.imag())};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> cos(const complex<T>& z) {
  return {::cos(z.real()) * ::cosh(z.imag()), -::sin(z.real()) * ::sinh(z.imag())};
}
template <typename T>
CUDACPU_HOST_DEVICE complex<T> tan(const complex<T>& z) {
  return thrust::sin(z) / thrust::cos(z);
}

template <typename T>
std::ostream& operator<<(std::ostream& out, const complex<T>& z) {
  return out << std::complex<T>(z);
}
template <typename T>
std::istream& operator>>(std::istream& in, complex<T>& z) {
  std::complex<T> read;
  in >> read;
  z = complex<T>(read);
  return in;
}

}  // namespace thrust
