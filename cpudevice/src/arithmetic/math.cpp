// The mathematical functions of CUDA that the C library lacks.
#include "cudacpu/device/math.h"

#include <cmath>
#include <limits>

namespace cudacpu {
namespace {

constexpr double kTwoOverSqrtPi = 1.1283791670955126;  // of the derivative of erf

// Winitzki's approximation of the inverse of erf, accurate to 2e-3; the callers' iterations make
// the result exact.
double rough_inverse_erf(double one_minus_x_squared) {
  constexpr double a = 0.147;
  const double logarithm = std::log(one_minus_x_squared);
  const double b = 2 / (M_PI * a) + logarithm / 2;
  return std::sqrt(std::sqrt(b * b - logarithm / a) - b);
}

}  // namespace

double inverse_erf(double x) {
  if (!(std::fabs(x) < 1)) {
    return std::fabs(x) == 1 ? std::copysign(HUGE_VAL, x)
                             : std::numeric_limits<double>::quiet_NaN();
  }
  if (std::fabs(x) > 0.5) return std::copysign(inverse_erfc(1 - std::fabs(x)), x);
  if (x == 0) return x;
  double y = std::copysign(rough_inverse_erf((1 - x) * (1 + x)), x);
  // Halley's method on erf(y) = x: the error is cubed at each step.
  for (int step = 0; step < 3; ++step) {
    const double error = (std::erf(y) - x) / (kTwoOverSqrtPi * std::exp(-y * y));
    y -= error / (1 + y * error);
  }
  return y;
}

double inverse_erfc(double x) {
  if (!(x > 0 && x < 2)) {
    if (x == 0) return HUGE_VAL;
    return x == 2 ? -HUGE_VAL : std::numeric_limits<double>::quiet_NaN();
  }
  if (x > 1) return -inverse_erfc(2 - x);
  if (x > 0.5) return inverse_erf(1 - x);
  double y = rough_inverse_erf(x * (2 - x));
  for (int step = 0; step < 4; ++step) {
    // The error relative to x, since both erfc and its derivative may be denormal.
    const double error = (std::erfc(y) / x - 1) * x / (-kTwoOverSqrtPi * std::exp(-y * y));
    if (!std::isfinite(error)) break;
    y -= error / (1 + y * error);
  }
  return y;
}

double scaled_erfc(double x) {
  if (x < 10) return std::exp(x * x) * std::erfc(x);
  // The continued fraction, from the inside out; 20 terms are exact to double precision from x = 10
  // on.
  double tail = x;
  for (int k = 20; k > 0; --k)
    tail = x + k / (2 * tail);
  return 1 / (std::sqrt(M_PI) * tail);
}

// The power series: all terms are positive, so nothing cancels.
double bessel_i0(double x) {
  double term = 1, sum = 1;
  for (int k = 1; term > sum * 1e-17 && std::isfinite(sum); ++k) {
    term *= (x / (2.0 * k)) * (x / (2.0 * k));
    sum += term;
  }
  return sum;
}

double bessel_i1(double x) {
  double term = x / 2, sum = x / 2;
  for (int k = 1; std::fabs(term) > std::fabs(sum) * 1e-17 && std::isfinite(sum); ++k) {
    term *= x / (2.0 * k) * (x / (2.0 * (k + 1)));
    sum += term;
  }
  return sum;
}

double sine_of_pi_times(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  double within = std::fmod(x, 2.0);  // exact
  if (within == 0) return std::copysign(0.0, x);
  if (within > 1) within -= 2;
  if (within < -1) within += 2;
  // The nearest multiple of one half: sine and cosine of the rest are exact at such multiples.
  const double halves = std::nearbyint(2 * within);
  const double rest = (within - halves / 2) * M_PI;
  switch (static_cast<int>(halves)) {
    case 0:
      return std::sin(rest);
    case 1:
      return std::cos(rest);
    case -1:
      return -std::cos(rest);
    default: {  // near 1 or -1
      const double sine = -std::sin(rest);
      return sine == 0 ? std::copysign(0.0, x) : sine;
    }
  }
}

double cosine_of_pi_times(double x) {
  if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
  return sine_of_pi_times(std::fmod(std::fabs(x), 2.0) + 0.5);
}

}  // namespace cudacpu
