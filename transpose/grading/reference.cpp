// The serial transpose and what counts as right: every element, bit for bit.
#include "judge.h"
#include "random.h"

namespace {

// Input value i is random_float(seed, i), so the expected element needs no matrix in memory.
void judge_transpose(const Options& options, uint64_t seed, Submission& submission) {
  const auto rows = static_cast<size_t>(options.count("rows", 1024));
  const auto cols = static_cast<size_t>(options.count("cols", 1024));
  const float* got = submission.take<float>("output", rows * cols);
  const uint64_t input_seed = stream_seed(seed, 0);
  const auto want = [&](size_t i) {
    const size_t row = i % rows;
    const size_t col = i / rows;
    return random_float(input_seed, row * cols + col);
  };
  // Inputs are never NaN and a copied zero keeps its value: == is exact.
  const auto same = [](float a, float b) { return a == b; };
  compare(got, rows * cols, want, same, [&](size_t i) {
    return "row " + std::to_string(i / rows) + ", column " + std::to_string(i % rows);
  });
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"transpose", judge_transpose}};
