// saxpy, the serial answer: a multiplication and an addition per element.
#include <cfloat>
#include <cmath>

#include "input.h"
#include "judge.h"

namespace {

struct Answer {
  float value;
  double tolerance;
};

std::string show(const Answer& answer) {
  return ::show(answer.value);
}

// Both parts have the same answer. Float arithmetic rounds the output once (fused) or
// twice; either way the error is at most FLT_EPSILON * (|scale * x| + |y|). Twice the
// error is allowed, which also covers the rounding of the exact value.
void judge_saxpy(const Options& options, uint64_t seed, Submission& submission) {
  const auto n = static_cast<size_t>(options.count("n", kDefaultSize));
  const double scale = scale_of(seed);
  const auto want = [&](size_t i) {
    const double product = scale * random_float(x_seed(seed), i);
    const double y = random_float(y_seed(seed), i);
    const double tolerance = 2 * FLT_EPSILON * (std::abs(product) + std::abs(y));
    return Answer{static_cast<float>(product + y), tolerance};
  };
  // `<=`: a NaN does not match.
  const auto matches = [](double got, const Answer& right) {
    return std::abs(got - right.value) <= right.tolerance;
  };
  compare(submission.take<float>("result", n), n, want, matches);
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"saxpy", judge_saxpy}, {"saxpy_host", judge_saxpy}};
