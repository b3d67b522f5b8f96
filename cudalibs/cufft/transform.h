// Discrete Fourier transforms of one dimension, of any length.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace cudacpu::fourier {

using Complex = std::complex<double>;

// Transforms of n elements: n is split into its prime factors (Cooley and Tukey 1965). If a factor
// is large, the transform is a convolution, computed by transforms of a power of two (Bluestein
// 1970).
class Transform {
 public:
  explicit Transform(size_t n);
  // In place: element k becomes the sum over j of data[j] * exp(sign * 2 pi i j k / n); `sign` is
  // -1 or 1. `scratch` has room for scratch_size() elements.
  void run(Complex* data, int sign, Complex* scratch) const;
  size_t scratch_size() const { return longer_ ? 2 * spectrum_.size() : n_; }

 private:
  // The transform of every `stride`th element of `in`, n_ / stride elements, by the factors from
  // number `factor` on.
  void split(const Complex* in, size_t stride, Complex* out, size_t factor) const;
  // Combines `p` transforms of length `m`, stored one behind the other, to a transform of p * m
  // elements. Number k of `roots` is exp(-2 pi i k / (p * m)).
  static void combine(Complex* data, size_t p, size_t m, const Complex* roots);
  void convolve(Complex* data, Complex* scratch) const;

  size_t n_;
  std::vector<size_t> factors_;
  std::vector<std::vector<Complex>> roots_;  // by factor, for combine()
  // For convolutions: exp(-pi i k² / n), the transform of the conjugate, and the longer transform.
  std::vector<Complex> chirp_, spectrum_;
  std::shared_ptr<const Transform> longer_;
};

}  // namespace cudacpu::fourier
