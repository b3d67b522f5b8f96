// thrust::random: a linear congruential engine (Park and Miller's, as in the standard library) and
// two distributions, for host and device.
#pragma once

#include <iostream>  // as Thrust's own includes it
#include <limits>

#include "execution.h"

namespace thrust {
namespace random {

class minstd_rand {
 public:
  using result_type = unsigned int;
  static constexpr result_type min = 1, max = 2147483646;

  CUDACPU_HOST_DEVICE explicit minstd_rand(result_type seed = 1) { this->seed(seed); }
  CUDACPU_HOST_DEVICE void seed(result_type value) {
    state_ = value % kModulus;
    if (state_ == 0) state_ = 1;
  }
  CUDACPU_HOST_DEVICE result_type operator()() {
    state_ = static_cast<result_type>(state_ * 48271ull % kModulus);
    return state_;
  }
  // The n-th number after the next: a power of the multiplier, by squaring.
  CUDACPU_HOST_DEVICE void discard(unsigned long long n) {
    unsigned long long factor = 48271, product = 1;
    for (; n > 0; n /= 2) {
      if (n % 2) product = product * factor % kModulus;
      factor = factor * factor % kModulus;
    }
    state_ = static_cast<result_type>(state_ * product % kModulus);
  }

 private:
  static constexpr result_type kModulus = 2147483647;
  result_type state_;
};
using default_random_engine = minstd_rand;

// In [low, high).
template <typename T = double>
class uniform_real_distribution {
 public:
  CUDACPU_HOST_DEVICE explicit uniform_real_distribution(T low = 0, T high = 1)
      : low_(low), high_(high) {}
  template <typename Engine>
  CUDACPU_HOST_DEVICE T operator()(Engine& engine) const {
    const double unit = (engine() - double(Engine::min)) / (double(Engine::max) - Engine::min + 1);
    const T value = static_cast<T>(low_ + unit * (high_ - low_));
    return value < high_ ? value : low_;
  }

 private:
  T low_, high_;
};

// In [low, high].
template <typename T = int>
class uniform_int_distribution {
 public:
  CUDACPU_HOST_DEVICE explicit uniform_int_distribution(T low = 0,
                                                        T high = std::numeric_limits<T>::max())
      : low_(low), high_(high) {}
  template <typename Engine>
  CUDACPU_HOST_DEVICE T operator()(Engine& engine) const {
    const uniform_real_distribution<double> unit(0, 1);
    return static_cast<T>(low_ + unit(engine) * (double(high_) - double(low_) + 1));
  }

 private:
  T low_, high_;
};

}  // namespace random

using random::default_random_engine;
using random::minstd_rand;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust
