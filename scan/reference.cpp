// The serial answers: a running sum, and a loop over neighbours. Both are compared bit for bit.
#include "judge.h"

#include "input.h"

namespace {

// The input of a case, element by element.
class Input {
 public:
  Input(const Options& options, uint64_t seed)
      : size_(options.count("n", kDefaultSize)),
        values_(options.count("values", kDefaultValues)),
        seed_(input_seed(seed)) {
    // Where the array begins makes no difference to the answer.
    options.count("offset", 0);
  }
  size_t size() const { return size_; }
  int operator[](size_t i) const { return random_int(seed_, i, values_); }

 private:
  size_t size_;
  unsigned values_;
  uint64_t seed_;
};

bool same(int got, int right) {
  return got == right;
}

void judge_exclusive_scan(const Options& options, uint64_t seed, Submission& submission) {
  const Input input(options, seed);
  uint32_t sum = 0;  // of all elements before i: compare() goes through the indices in order
  const auto want = [&](size_t i) {
    const uint32_t before = sum;
    sum += static_cast<uint32_t>(input[i]);
    return static_cast<int>(before);
  };
  compare(submission.take<int>("result", input.size()), input.size(), want, same);
}

void judge_find_repeats(const Options& options, uint64_t seed, Submission& submission) {
  const Input input(options, seed);
  const size_t n = input.size();
  std::vector<int> repeats;
  for (size_t i = 0; i + 1 < n; ++i) {
    if (input[i] == input[i + 1]) repeats.push_back(static_cast<int>(i));
  }
  const int count = static_cast<int>(repeats.size());
  const int got = *submission.take<int>("the count", 1);
  if (got != count) {
    throw Wrong("returned " + std::to_string(got) + ", but there are " + std::to_string(count) +
                " repeats");
  }
  compare(
      submission.take<int>("output", n), count, [&](size_t i) { return repeats[i]; }, same);
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"exclusive_scan", judge_exclusive_scan},
                                            {"find_repeats", judge_find_repeats}};
