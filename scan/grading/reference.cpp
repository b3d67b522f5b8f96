// The answers, a running sum and a loop over neighbours, piece by piece on all processors. Both are
// compared bit for bit.
#include "judge.h"

#include <numeric>

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

// The sum of the values of each piece of [0, size) and of all pieces before it.
template <class Value>
std::vector<uint32_t> sums_by_piece(size_t size, const Value& value) {
  std::vector<uint32_t> sums(pieces_of(size));
  parallel_pieces(size, [&](size_t begin, size_t end, int piece) {
    uint32_t sum = 0;
    for (size_t i = begin; i < end; ++i)
      sum += value(i);
    sums[piece] = sum;
  });
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  return sums;
}

void judge_exclusive_scan(const Options& options, uint64_t seed, Submission& submission) {
  const Input input(options, seed);
  const int* got = submission.take<int>("result", input.size());
  const auto value = [&](size_t i) { return static_cast<uint32_t>(input[i]); };
  const std::vector<uint32_t> sums = sums_by_piece(input.size(), value);
  const auto sum_before = [&](int piece) { return piece > 0 ? sums[piece - 1] : 0; };
  const size_t wrong = first_of_pieces(input.size(), [&](size_t begin, size_t end, int piece) {
    uint32_t sum = sum_before(piece);
    for (size_t i = begin; i < end; ++i) {
      if (static_cast<uint32_t>(got[i]) != sum) return i;
      sum += value(i);
    }
    return kNowhere;
  });
  if (wrong == kNowhere) return;
  uint32_t sum = sum_before(static_cast<int>(wrong / kPiece));
  for (size_t i = wrong / kPiece * kPiece; i < wrong; ++i)
    sum += value(i);
  mismatch(wrong, got[wrong], static_cast<int>(sum));
}

void judge_find_repeats(const Options& options, uint64_t seed, Submission& submission) {
  const Input input(options, seed);
  const size_t n = input.size();
  const auto repeats = [&](size_t i) { return i + 1 < n && input[i] == input[i + 1]; };
  const std::vector<uint32_t> counts = sums_by_piece(n, repeats);
  const uint32_t count = counts.empty() ? 0 : counts.back();
  const int returned = *submission.take<int>("the count", 1);
  if (static_cast<uint32_t>(returned) != count) {
    throw Wrong("returned " + std::to_string(returned) + ", but there are " +
                std::to_string(count) + " repeats");
  }
  const int* got = submission.take<int>("output", n);
  std::vector<int> right(count);
  parallel_pieces(n, [&](size_t begin, size_t end, int piece) {
    uint32_t next = piece > 0 ? counts[piece - 1] : 0;
    for (size_t i = begin; i < end; ++i) {
      if (repeats(i)) right[next++] = static_cast<int>(i);
    }
  });
  const auto same = [](int a, int b) { return a == b; };
  compare(
      got, count, [&](size_t i) { return right[i]; }, same);
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"exclusive_scan", judge_exclusive_scan},
                                            {"find_repeats", judge_find_repeats}};
