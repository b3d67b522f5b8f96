// saxpy, the serial answer: one multiplication and one addition per element.
#include <cfloat>
#include <cmath>

#include "input.h"
#include "judge.h"

namespace {

// Both parts have the same answer. The output is that of float arithmetic, rounded once (fused) or
// twice; either way it lies within FLT_EPSILON * (|scale * x| + |y|) of the exact value. Twice
// that is allowed, which also covers rounding the exact value itself.
void judge_saxpy(const Options& options, uint64_t seed, Submission& submission) {
  const auto n = static_cast<size_t>(options.count("n", kDefaultSize));
  const double scale = scale_of(seed);
  double tolerance = 0;  // of the element that `want` was last asked for
  const auto want = [&](size_t i) {
    const double product = scale * random_float(x_seed(seed), i);
    const double y = random_float(y_seed(seed), i);
    tolerance = 2 * FLT_EPSILON * (std::abs(product) + std::abs(y));
    return static_cast<float>(product + y);
  };
  // `<=` so that a NaN does not match.
  const auto matches = [&](double got, double right) { return std::abs(got - right) <= tolerance; };
  compare(submission.take<float>("result", n), n, want, matches);
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"saxpy", judge_saxpy}, {"saxpy_host", judge_saxpy}};
