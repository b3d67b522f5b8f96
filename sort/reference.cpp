// What counts as sorted, in one pass and without sorting: the output's keys are in order, each pair
// is one of the input, and none comes twice. A value says by itself which pair of the input it
// belongs to, so nothing need be remembered but, where the sort need not be stable, who was there.
#include <string>
#include <vector>

#include "float_input.h"
#include "judge.h"
#include "total_order.h"

namespace {

// Value -> index in the input: the inverse of index * factor + offset modulo 2^32.
class Origin {
 public:
  explicit Origin(uint64_t seed) : offset_(value_offset(seed)) {
    // Newton's iteration: each round doubles the number of right bits, 3 to begin with.
    const uint32_t factor = value_factor(seed);
    inverse_ = factor;
    for (int round = 0; round < 4; ++round)
      inverse_ *= 2 - factor * inverse_;
  }
  uint32_t operator()(uint32_t value) const { return (value - offset_) * inverse_; }

 private:
  uint32_t offset_;
  uint32_t inverse_;
};

struct Case {
  int n;
  Input input;
  uint64_t seed;
};

Case case_of(const Options& options, uint64_t seed) {
  return {options.count("n", kDefaultSize), input_of(options), seed};
}

[[noreturn]] void wrong(size_t i, const std::string& what) {
  throw Wrong("index " + std::to_string(i) + ": " + what);
}

// Index in the input of the pair with this value; throws Wrong where the input has none, or one
// with another key. `show_key` prints a key's bits.
template <class KeyAt, class ShowKey>
uint32_t origin_of(const Origin& origin, const Case& sorted, size_t i, uint32_t key, uint32_t value,
                   const char* name, KeyAt key_at, ShowKey show_key) {
  const uint32_t from = origin(value);
  if (from >= static_cast<uint32_t>(sorted.n)) {
    wrong(i, "got " + std::string(name) + " " + std::to_string(value) +
                 (value == 0xFFFFFFFF ? " (never written?)" : "") + ", which is not in the input");
  }
  const uint32_t right = key_at(from);
  if (key != right) {
    wrong(i, "got key " + show_key(key) + " with " + name + " " + std::to_string(value) +
                 ", want key " + show_key(right) + ", as at index " + std::to_string(from) +
                 " of the input");
  }
  return from;
}

std::string show_unsigned(uint32_t key) {
  return std::to_string(key) + (key == 0xFFFFFFFF ? " (never written?)" : "");
}

std::string show_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", bits);
  return show(value) + " (bits " + text + ")";
}

void judge_bitonic_sort(const Options& options, uint64_t seed, Submission& submission) {
  const Case sorted = case_of(options, seed);
  const auto n = static_cast<size_t>(sorted.n);
  const auto* keys = submission.take<uint32_t>("keys", n);
  const auto* indices = submission.take<uint32_t>("indices", n);
  const Origin origin(seed);
  const auto key_at = [&](uint32_t i) { return key_bits(sorted.input, seed, sorted.n, i); };
  std::vector<bool> seen(n);
  for (size_t i = 0; i < n; ++i) {
    if (i > 0 &&
        total_order(static_cast<int>(keys[i])) < total_order(static_cast<int>(keys[i - 1]))) {
      wrong(i, "got " + show_float(keys[i]) + ", which belongs before " + show_float(keys[i - 1]) +
                   " at the index before");
    }
    const uint32_t from =
        origin_of(origin, sorted, i, keys[i], indices[i], "index", key_at, show_float);
    if (seen[from]) {
      wrong(i, "got the pair of index " + std::to_string(from) + " of the input a second time");
    }
    seen[from] = true;
  }
}

void judge_merge_sort(const Options& options, uint64_t seed, Submission& submission) {
  const Case sorted = case_of(options, seed);
  const auto n = static_cast<size_t>(sorted.n);
  const auto* keys = submission.take<uint32_t>("keys", n);
  const auto* values = submission.take<uint32_t>("values", n);
  const Origin origin(seed);
  const auto key_at = [&](uint32_t i) { return number_of(sorted.input, seed, sorted.n, i); };
  uint32_t last = 0;  // where in the input the pair before this one was
  for (size_t i = 0; i < n; ++i) {
    if (i > 0 && keys[i] < keys[i - 1]) {
      wrong(i, "got key " + show_unsigned(keys[i]) + " behind key " + show_unsigned(keys[i - 1]));
    }
    const uint32_t from =
        origin_of(origin, sorted, i, keys[i], values[i], "value", key_at, show_unsigned);
    // Strictly ascending by key and origin: then no pair can come twice either.
    if (i > 0 && keys[i] == keys[i - 1] && from <= last) {
      wrong(i, from == last
                   ? "got the pair of index " + std::to_string(from) + " of the input a second time"
                   : "of two pairs with key " + show_unsigned(keys[i]) + ", that of index " +
                         std::to_string(from) + " of the input comes behind that of index " +
                         std::to_string(last) + ": not stable");
    }
    last = from;
  }
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"bitonic_sort", judge_bitonic_sort},
                                            {"merge_sort", judge_merge_sort}};
