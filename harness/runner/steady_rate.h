// Detects by the times of a fixed piece of work whether anything disturbs the GPU's memory.
//
// After cudaFree, and after a process with device memory has ended, the driver overwrites the freed
// pages in the background. On an H200 the clearing takes about 2.4 ms for each GiB, and meanwhile
// kernels that are limited by memory take 11 to 13 % longer (docs/grading.md has the measurements).
#pragma once

#include <algorithm>

class SteadyRate {
 public:
  // Takes the time of another piece of the work, in ms; returns whether the work was undisturbed.
  bool is_steady(float ms) {
    best_ms_ = best_ms_ > 0 ? std::min(best_ms_, ms) : ms;
    return ms <= best_ms_ * kTolerance;
  }

  // From now on `ms` is the normal time of the work: the slow time has lasted so long that no
  // passing disturbance can be the cause.
  void settle_for(float ms) { best_ms_ = ms; }

 private:
  // Between the noise of the times, about 2 %, and the cost of the driver's clearing.
  static constexpr float kTolerance = 1.05f;

  float best_ms_ = 0;
};

// Decides how often a measurement is repeated because memory was disturbed at its end.
//
// A call that frees memory itself ends with disturbed memory each time. So after some disturbed
// attempts in a row the call counts as the cause, and no measurement is repeated from then on.
class Retakes {
 public:
  // Whether to repeat the attempt that has just ended.
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
