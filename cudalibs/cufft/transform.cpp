#include "cufft/transform.h"

#include <algorithm>
#include <cmath>

namespace cudacpu::fourier {
namespace {

// The largest factor p whose p² steps are fewer than the steps of a convolution.
constexpr size_t kLargestFactor = 61;

// Without the library's tests for infinite numbers.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Complex times_minus_i(Complex a) {
  return {a.imag(), -a.real()};
}

// exp(-2 pi i k / n)
Complex unit(size_t k, size_t n) {
  const double angle = -2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

// Fours first: radix 4 takes the fewest operations.
std::vector<size_t> factors_of(size_t n) {
  std::vector<size_t> factors;
  for (; n % 4 == 0; n /= 4)
    factors.push_back(4);
  for (size_t p = 2; n > 1; ++p) {
    if (p * p > n) p = n;
    for (; n % p == 0; n /= p)
      factors.push_back(p);
  }
  return factors;
}

}  // namespace

Transform::Transform(size_t n) : n_(n), factors_(factors_of(n)) {
  if (!factors_.empty() && *std::max_element(factors_.begin(), factors_.end()) > kLargestFactor) {
    size_t length = 1;
    while (length < 2 * n)
      length *= 2;
    longer_ = std::make_shared<const Transform>(length);
    spectrum_.resize(length);
    for (size_t k = 0; k < n; ++k) {
      chirp_.push_back(unit(k * k % (2 * n), 2 * n));
      spectrum_[k] = spectrum_[(length - k) % length] = std::conj(chirp_[k]);
    }
    std::vector<Complex> scratch(length);
    longer_->run(spectrum_.data(), -1, scratch.data());
    return;
  }
  for (const size_t p : factors_) {
    roots_.emplace_back();
    for (size_t k = 0; k < n; ++k)
      roots_.back().push_back(unit(k, n));
    n /= p;
  }
}

void Transform::run(Complex* data, int sign, Complex* scratch) const {
  const auto conjugate = [&] {
    for (size_t k = 0; k < n_; ++k)
      data[k] = std::conj(data[k]);
  };
  if (sign > 0) conjugate();
  if (longer_) {
    convolve(data, scratch);
  } else {
    std::copy(data, data + n_, scratch);
    split(scratch, 1, data, 0);
  }
  if (sign > 0) conjugate();
}

void Transform::split(const Complex* in, size_t stride, Complex* out, size_t factor) const {
  if (n_ == 1) {
    *out = *in;
    return;
  }
  const size_t p = factors_[factor], m = n_ / stride / p;
  for (size_t q = 0; q < p; ++q) {
    if (m == 1) {
      out[q] = in[q * stride];
    } else {
      split(in + q * stride, stride * p, out + q * m, factor + 1);
    }
  }
  combine(out, p, m, roots_[factor].data());
}

void Transform::combine(Complex* data, size_t p, size_t m, const Complex* roots) {
  if (p == 4) {
    for (size_t j = 0; j < m; ++j) {
      Complex* const at = data + j;
      const Complex in1 = product(at[m], roots[j]), in2 = product(at[2 * m], roots[2 * j]);
      const Complex in3 = product(at[3 * m], roots[3 * j]);
      const Complex even = at[0] + in2, difference = at[0] - in2;
      const Complex odd = in1 + in3, turned = times_minus_i(in1 - in3);
      at[0] = even + odd;
      at[m] = difference + turned;
      at[2 * m] = even - odd;
      at[3 * m] = difference - turned;
    }
    return;
  }
  Complex in[kLargestFactor];
  for (size_t j = 0; j < m; ++j) {
    Complex* const at = data + j;
    for (size_t q = 0; q < p; ++q)
      in[q] = product(at[q * m], roots[q * j]);
    for (size_t k = 0; k < p; ++k) {
      Complex sum = in[0];
      for (size_t q = 1; q < p; ++q)
        sum += product(in[q], roots[q * k % p * m]);
      at[k * m] = sum;
    }
  }
}

// j k = (j² + k² - (k - j)²) / 2, so the transform is a convolution with exp(pi i k² / n).
void Transform::convolve(Complex* data, Complex* scratch) const {
  const size_t length = spectrum_.size();
  Complex* const longer = scratch;
  std::fill(longer, longer + length, Complex());
  for (size_t k = 0; k < n_; ++k)
    longer[k] = product(data[k], chirp_[k]);
  longer_->run(longer, -1, scratch + length);
  for (size_t k = 0; k < length; ++k)
    longer[k] = product(longer[k], spectrum_[k]);
  longer_->run(longer, 1, scratch + length);
  const double scale = 1 / static_cast<double>(length);
  for (size_t k = 0; k < n_; ++k)
    data[k] = product(longer[k], chirp_[k]) * scale;
}

}  // namespace cudacpu::fourier
