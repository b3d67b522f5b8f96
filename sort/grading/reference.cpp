// The serial sort, and the properties of a sorted output: keys are in order, each pair is a pair of
// the input, and no pair comes twice.
//
// The serial sort decides about outputs of up to kSerialSize pairs. A parallel pass over the
// properties explains wrong outputs and decides about larger ones. A value names its pair of the
// input, so the pass stores nothing but, where the sort need not be stable, the pairs already seen.
#include <algorithm>
#include <atomic>
#include <functional>
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

struct Pair {
  uint32_t key;
  uint32_t value;
};

bool same_pair(const Pair& a, const Pair& b) {
  return a.key == b.key && a.value == b.value;
}

// Outputs of up to this size are compared with the serial sort, whose time is short there.
constexpr size_t kSerialSize = 1 << 17;

// The serial sort: the pairs of the input by ascending key; pairs of equal keys keep their order.
template <class KeyAt, class Less>
std::vector<Pair> sorted_serially(const Case& sorted, KeyAt key_at, Less less) {
  std::vector<Pair> pairs(sorted.n);
  for (uint32_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {key_at(i), i * value_factor(sorted.seed) + value_offset(sorted.seed)};
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const Pair& a, const Pair& b) { return less(a.key, b.key); });
  return pairs;
}

std::vector<Pair> pairs_of(const uint32_t* keys, const uint32_t* values, size_t n) {
  std::vector<Pair> pairs(n);
  for (size_t i = 0; i < n; ++i)
    pairs[i] = {keys[i], values[i]};
  return pairs;
}

// Puts pairs of equal keys into the order of the input, as the serial sort has them.
void order_ties(const Origin& origin, std::vector<Pair>* pairs) {
  for (auto begin = pairs->begin(); begin != pairs->end();) {
    const auto differs = [&](const Pair& pair) { return pair.key != begin->key; };
    const auto end = std::find_if(begin, pairs->end(), differs);
    std::sort(begin, end,
              [&](const Pair& a, const Pair& b) { return origin(a.value) < origin(b.value); });
    begin = end;
  }
}

// Throws Wrong unless the output is the serial sort's. `explain` throws Wrong with a better message
// where a property of a sorted output is violated.
template <class Explain>
void require_same(const std::vector<Pair>& got, const std::vector<Pair>& right, Explain explain) {
  const auto [at, want] = std::mismatch(got.begin(), got.end(), right.begin(), same_pair);
  if (at == got.end()) return;
  explain();
  const auto i = static_cast<size_t>(at - got.begin());
  if (at->key != want->key) mismatch(i, at->key, want->key, "key");
  mismatch(i, at->value, want->value, "value");
}

// What is wrong with an output at an index, "" if nothing is.
using Fault = std::string;

// Throws Wrong at the first index with a fault. Several threads call fault_at at a time.
template <class FaultAt>
void require_no_fault(size_t n, const FaultAt& fault_at) {
  const size_t i = first_where(n, [&](size_t at) { return !fault_at(at).empty(); });
  if (i != kNowhere) throw Wrong("index " + std::to_string(i) + ": " + fault_at(i));
}

// A fault where the input has no pair with the value, or has another key; else `from` is the pair's
// index in the input. `show_key` prints a key's bits.
template <class KeyAt, class ShowKey>
Fault origin_fault(const Origin& origin, const Case& sorted, uint32_t key, uint32_t value,
                   const char* name, KeyAt key_at, ShowKey show_key, uint32_t* from) {
  *from = origin(value);
  if (*from >= static_cast<uint32_t>(sorted.n)) {
    return "got " + std::string(name) + " " + std::to_string(value) +
           (value == 0xFFFFFFFF ? " (never written?)" : "") + ", which is not in the input";
  }
  const uint32_t right = key_at(*from);
  if (key == right) return "";
  return "got key " + show_key(key) + " with " + name + " " + std::to_string(value) +
         ", want key " + show_key(right) + ", as at index " + std::to_string(*from) +
         " of the input";
}

Fault twice(uint32_t from) {
  return "got the pair of index " + std::to_string(from) + " of the input a second time";
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

bool less_in_total_order(uint32_t a, uint32_t b) {
  return total_order(static_cast<int>(a)) < total_order(static_cast<int>(b));
}

// Throws Wrong unless the output of bitonic_sort has the properties of a sorted output.
template <class KeyAt>
void require_sorted(const Case& sorted, const Origin& origin, KeyAt key_at, const uint32_t* keys,
                    const uint32_t* indices) {
  const auto n = static_cast<size_t>(sorted.n);
  require_no_fault(n, [&](size_t i) -> Fault {
    if (i > 0 && less_in_total_order(keys[i], keys[i - 1])) {
      return "got " + show_float(keys[i]) + ", which belongs before " + show_float(keys[i - 1]) +
             " at the index before";
    }
    uint32_t from;
    return origin_fault(origin, sorted, keys[i], indices[i], "index", key_at, show_float, &from);
  });
  // Now each index is of the input. If an index comes twice, a second, serial pass finds the first
  // repetition.
  std::vector<std::atomic<bool>> seen(n);
  const auto again = [&](size_t i) { return seen[origin(indices[i])].exchange(true); };
  if (first_where(n, again) == kNowhere) return;
  for (std::atomic<bool>& each : seen)
    each = false;
  for (size_t i = 0; i < n; ++i) {
    if (again(i)) throw Wrong("index " + std::to_string(i) + ": " + twice(origin(indices[i])));
  }
}

void judge_bitonic_sort(const Options& options, uint64_t seed, Submission& submission) {
  const Case sorted = case_of(options, seed);
  const auto n = static_cast<size_t>(sorted.n);
  const auto* keys = submission.take<uint32_t>("keys", n);
  const auto* indices = submission.take<uint32_t>("indices", n);
  const Origin origin(seed);
  const auto key_at = [&](uint32_t i) { return key_bits(sorted.input, seed, sorted.n, i); };
  const auto explain = [&] { require_sorted(sorted, origin, key_at, keys, indices); };
  if (n > kSerialSize) return explain();
  std::vector<Pair> got = pairs_of(keys, indices, n);
  order_ties(origin, &got);
  require_same(got, sorted_serially(sorted, key_at, less_in_total_order), explain);
}

// Throws Wrong unless the output of merge_sort has the properties of a stably sorted output.
template <class KeyAt>
void require_stably_sorted(const Case& sorted, const Origin& origin, KeyAt key_at,
                           const uint32_t* keys, const uint32_t* values) {
  require_no_fault(static_cast<size_t>(sorted.n), [&](size_t i) -> Fault {
    if (i > 0 && keys[i] < keys[i - 1]) {
      return "got key " + show_unsigned(keys[i]) + " behind key " + show_unsigned(keys[i - 1]);
    }
    uint32_t from;
    const Fault fault =
        origin_fault(origin, sorted, keys[i], values[i], "value", key_at, show_unsigned, &from);
    if (!fault.empty() || i == 0 || keys[i] != keys[i - 1]) return fault;
    // Strictly ascending by key and origin: then no pair can come twice either.
    const uint32_t last = origin(values[i - 1]);
    if (from > last) return "";
    if (from == last) return twice(from);
    return "of two pairs with key " + show_unsigned(keys[i]) + ", that of index " +
           std::to_string(from) + " of the input comes behind that of index " +
           std::to_string(last) + ": not stable";
  });
}

void judge_merge_sort(const Options& options, uint64_t seed, Submission& submission) {
  const Case sorted = case_of(options, seed);
  const auto n = static_cast<size_t>(sorted.n);
  const auto* keys = submission.take<uint32_t>("keys", n);
  const auto* values = submission.take<uint32_t>("values", n);
  const Origin origin(seed);
  const auto key_at = [&](uint32_t i) { return number_of(sorted.input, seed, sorted.n, i); };
  const auto explain = [&] { require_stably_sorted(sorted, origin, key_at, keys, values); };
  if (n > kSerialSize) return explain();
  const auto right = sorted_serially(sorted, key_at, std::less<uint32_t>());
  require_same(pairs_of(keys, values, n), right, explain);
}

}  // namespace

const std::vector<PartJudge> kPartJudges = {{"bitonic_sort", judge_bitonic_sort},
                                            {"merge_sort", judge_merge_sort}};
