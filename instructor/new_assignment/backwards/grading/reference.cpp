// The serial answer and what counts as right: every element, bit for bit.
#include "judge.h"
#include "random.h"

namespace {

// Input value i is random_int(seed, i, 0), so the expected element needs no array in memory.
void judge_backwards(const Options& options, uint64_t seed, Submission& submission) {
  const auto n = static_cast<size_t>(options.count("n", 1 << 20));
  const uint64_t input_seed = stream_seed(seed, 0);
  const auto want = [&](size_t i) { return random_int(input_seed, n - 1 - i, 0); };
  const auto same = [](int a, int b) { return a == b; };
  compare(submission.take<int>("output", n), n, want, same);
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"backwards", judge_backwards}};
