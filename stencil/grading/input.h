// What runner and judge must agree on: which items are active and what their values are.
#pragma once

#include <string>

#include "options.h"
#include "random.h"

// A blocked mask makes this many neighbouring items active or inactive together.
constexpr uint64_t kGroup = 1 << 12;

// The mask that the options name: --mask random|blocked|alternating|one and --percent 0..100.
struct Mask {
  enum Kind { kRandom, kBlocked, kAlternating, kOne };
  Kind kind;
  uint32_t percent;   // active share of a random mask's items or of a blocked mask's groups
  uint64_t the_item;  // the only active item of kOne
};

// Whether item i is active in repeat `seed`.
HARNESS_HOST_DEVICE inline bool is_active(const Mask& mask, uint64_t seed, uint64_t i) {
  switch (mask.kind) {
    case Mask::kRandom:
      return random_below(seed, i, 100) < mask.percent;
    case Mask::kBlocked:
      return random_below(seed, i / kGroup, 100) < mask.percent;
    case Mask::kAlternating:
      return i % 2 == 1;
    default:
      return i == mask.the_item;
  }
}

HARNESS_HOST_DEVICE inline unsigned initial_value(uint64_t seed, uint64_t i) {
  return static_cast<unsigned>(random_bits(seed, i) >> 32);
}

// The lengths of the items' work: --work even|tail|warps|ramp. The mean is about 64 rounds, and
// about 32 for a tail.
enum class Lengths { kEven, kTail, kWarps, kRamp };

// The rounds of item i of `count`.
HARNESS_HOST_DEVICE inline int rounds_of(Lengths lengths, uint64_t seed, uint64_t i,
                                         uint64_t count) {
  switch (lengths) {
    case Lengths::kEven:
      return 64;
    case Lengths::kTail:  // an item in 256 is 256 times as long as the others
      return random_below(seed, i, 256) == 0 ? 4096 : 16;
    case Lengths::kWarps:  // a warp in 32 is 32 times as long as the others
      return random_below(seed, i / 32, 32) == 0 ? 1024 : 32;
    default:  // rises evenly from 0
      return static_cast<int>(128 * i / count);
  }
}

// The seeds of the two streams of one repeat.
inline uint64_t mask_seed(uint64_t seed) {
  return stream_seed(seed, 0);
}
inline uint64_t length_seed(uint64_t seed) {
  return stream_seed(seed, 0);
}
inline uint64_t value_seed(uint64_t seed) {
  return stream_seed(seed, 1);
}

// A case of the parts that have a mask.
struct MaskedCase {
  explicit MaskedCase(const Options& options)
      : n(options.count("n", 1 << 20)), rounds(options.count("rounds", 1)) {
    const std::string kind = options.text("mask", "random");
    if (kind == "random") {
      kind_ = Mask::kRandom;
    } else if (kind == "blocked") {
      kind_ = Mask::kBlocked;
    } else if (kind == "alternating") {
      kind_ = Mask::kAlternating;
    } else if (kind == "one") {
      kind_ = Mask::kOne;
    } else {
      throw OptionError("--mask is random, blocked, alternating or one, not '" + kind + "'");
    }
    percent_ = options.count("percent", 50);
  }
  // The mask of one repeat.
  Mask mask(uint64_t seed) const {
    const auto items = static_cast<uint32_t>(n);
    return {kind_, static_cast<uint32_t>(percent_),
            items == 0 ? 0 : random_below(stream_seed(seed, 2), 0, items)};
  }

  // The mask is read; the values of the expected number of active items are read and written.
  double bytes_moved() const {
    const double share = kind_ == Mask::kAlternating ? 0.5 : percent_ / 100.0;
    return n / 8.0 + 8.0 * (kind_ == Mask::kOne ? 1 : share * n);
  }

  int n;
  int rounds;

 private:
  Mask::Kind kind_;
  int percent_;
};

// A case of persistent: --n is the capacity; the items are --percent % of it.
struct LengthsCase {
  explicit LengthsCase(const Options& options) : capacity(options.count("n", 1 << 20)) {
    const std::string kind = options.text("work", "even");
    if (kind == "even") {
      lengths = Lengths::kEven;
    } else if (kind == "tail") {
      lengths = Lengths::kTail;
    } else if (kind == "warps") {
      lengths = Lengths::kWarps;
    } else if (kind == "ramp") {
      lengths = Lengths::kRamp;
    } else {
      throw OptionError("--work is even, tail, warps or ramp, not '" + kind + "'");
    }
    count = static_cast<int>(static_cast<int64_t>(capacity) * options.count("percent", 100) / 100);
    if (count > capacity) throw OptionError("--percent must be at most 100");
  }

  int capacity;
  int count;
  Lengths lengths;
};
