// thrust::random: a linear congruential engine (Park and Miller's, as in the standard library) and
// two distributions, for host and device.
#pragma once

#include <iostream>  // also included by NVIDIA's header
#include <limits>

#include "execution.h"

namespace thrust {
namespace random {

template <unsigned int kMultiplier>
class congruential_engine {
 public:
  using result_type = unsigned int;
  static constexpr result_type min = 1, max = 2147483646, default_seed = 1;

  CUDACPU_HOST_DEVICE explicit congruential_engine(result_type seed = default_seed) {
    this->seed(seed);
  }
  CUDACPU_HOST_DEVICE void seed(result_type value = default_seed) {
    state_ = value % kModulus;
    if (state_ == 0) state_ = 1;
  }
  CUDACPU_HOST_DEVICE result_type operator()() {
    state_ =
        static_cast<result_type>(static_cast<unsigned long long>(state_) * kMultiplier % kModulus);
    return state_;
  }
  // The n-th number after the next: a power of the multiplier, by squaring.
  CUDACPU_HOST_DEVICE void discard(unsigned long long n) {
    unsigned long long factor = kMultiplier, product = 1;
    for (; n > 0; n /= 2) {
      if (n % 2) product = product * factor % kModulus;
      factor = factor * factor % kModulus;
    }
    state_ = static_cast<result_type>(state_ * product % kModulus);
  }
  CUDACPU_HOST_DEVICE friend bool operator==(const congruential_engine& a,
                                             const congruential_engine& b) {
    return a.state_ == b.state_;
  }
  CUDACPU_HOST_DEVICE friend bool operator!=(const congruential_engine& a,
                                             const congruential_engine& b) {
    return a.state_ != b.state_;
  }

 private:
  static constexpr result_type kModulus = 2147483647;
  result_type state_;
};
using minstd_rand0 = congruential_engine<16807>;
using minstd_rand = congruential_engine<48271>;
using default_random_engine = minstd_rand;

// L'Ecuyer's three shift registers ("Maximally equidistributed combined Tausworthe generators",
// 1996), seeded by a linear congruential generator as he proposes.
class taus88 {
 public:
  using result_type = unsigned int;
  static constexpr result_type min = 0, max = 4294967295u, default_seed = 12345;

  CUDACPU_HOST_DEVICE explicit taus88(result_type seed = default_seed) { this->seed(seed); }
  CUDACPU_HOST_DEVICE void seed(result_type value = default_seed) {
    constexpr result_type kLeast[3] = {2, 8, 16};
    for (int i = 0; i < 3; ++i) {
      value = 69069 * value + 1;
      state_[i] = value < kLeast[i] ? value + kLeast[i] : value;
    }
  }
  CUDACPU_HOST_DEVICE result_type operator()() {
    state_[0] = ((state_[0] & ~1u) << 12) ^ (((state_[0] << 13) ^ state_[0]) >> 19);
    state_[1] = ((state_[1] & ~7u) << 4) ^ (((state_[1] << 2) ^ state_[1]) >> 25);
    state_[2] = ((state_[2] & ~15u) << 17) ^ (((state_[2] << 3) ^ state_[2]) >> 11);
    return state_[0] ^ state_[1] ^ state_[2];
  }
  CUDACPU_HOST_DEVICE void discard(unsigned long long n) {
    for (; n > 0; --n)
      (*this)();
  }

 private:
  result_type state_[3];
};

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

// Of Box and Muller's pairs the first.
template <typename T = double>
class normal_distribution {
 public:
  CUDACPU_HOST_DEVICE explicit normal_distribution(T mean = 0, T deviation = 1)
      : mean_(mean), deviation_(deviation) {}
  template <typename Engine>
  CUDACPU_HOST_DEVICE T operator()(Engine& engine) const {
    const uniform_real_distribution<double> unit(0, 1);
    const double length = ::sqrt(-2 * ::log(1 - unit(engine)));
    return static_cast<T>(mean_ + deviation_ * length * ::cos(6.283185307179586 * unit(engine)));
  }
  CUDACPU_HOST_DEVICE T mean() const { return mean_; }
  CUDACPU_HOST_DEVICE T stddev() const { return deviation_; }

 private:
  T mean_, deviation_;
};
namespace experimental {
using random::normal_distribution;
}

}  // namespace random

using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::taus88;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust
