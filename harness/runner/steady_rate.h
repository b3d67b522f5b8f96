// Tells by the times of one fixed piece of work whether something disturbs the GPU's memory.
//
// After cudaFree, and after a process with device memory has ended, the driver overwrites the freed
// pages in the background. On an H200 that takes about 2.4 ms for each GiB, and meanwhile kernels
// that are limited by memory take 11 to 13 % longer (docs/grading.md has the measurements).
#pragma once

#include <algorithm>

class SteadyRate {
 public:
  // Takes the time of one more piece of the work, in ms; returns whether it was undisturbed.
  bool is_steady(float ms) {
    best_ms_ = best_ms_ > 0 ? std::min(best_ms_, ms) : ms;
    return ms <= best_ms_ * kTolerance;
  }

  // From now on `ms` is what the work takes here: it has taken so long for so long that nothing
  // passing can be the cause.
  void settle_for(float ms) { best_ms_ = ms; }

 private:
  // Between the noise of such a time, about 2 %, and what the driver's clearing costs.
  static constexpr float kTolerance = 1.05f;

  float best_ms_ = 0;
};

// How often a measurement may be taken again because memory was disturbed when it ended.
//
// A call that frees memory itself ends like that each time. So if some attempts in a row do, the
// call is taken for the cause, and nothing is taken again from then on.
class Retakes {
 public:
  // Whether the attempt that has just ended is to be taken again.
  bool again(bool disturbed) {
    in_a_row_ = disturbed ? in_a_row_ + 1 : 0;
    given_up_ = given_up_ || in_a_row_ > kMostInARow;
    if (!disturbed || given_up_) return false;
    ++count_;
    return true;
  }
  int count() const { return count_; }

 private:
  static constexpr int kMostInARow = 2;

  int in_a_row_ = 0;
  int count_ = 0;
  bool given_up_ = false;
};
