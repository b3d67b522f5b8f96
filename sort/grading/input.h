// The inputs of both parts: (kind, seed, n, index) -> key and value, the same in runner and judge.
#pragma once

#include <cstdint>
#include <string>

#include "options.h"
#include "random.h"

constexpr int kDefaultSize = 1 << 16;

// --input: which keys. `kBits`, `kSpecial` are of bitonic_sort only, whose keys are floats.
enum class Input {
  kRandom,
  kBits,
  kSpecial,
  kEqual,
  kFew,
  kEnds,
  kAscending,
  kNearly,
  kDescending,
  kSaw
};

inline Input input_of(const Options& options) {
  const std::string name = options.text("input", "random");
  if (name == "random") return Input::kRandom;
  if (name == "bits") return Input::kBits;
  if (name == "special") return Input::kSpecial;
  if (name == "equal") return Input::kEqual;
  if (name == "few") return Input::kFew;
  if (name == "ends") return Input::kEnds;
  if (name == "ascending") return Input::kAscending;
  if (name == "nearly") return Input::kNearly;
  if (name == "descending") return Input::kDescending;
  if (name == "saw") return Input::kSaw;
  throw OptionError(
      "--input is random, equal, few, ends, ascending, nearly, descending, saw, and " +
      std::string("for bitonic_sort bits or special, not '") + name + "'");
}

inline uint64_t key_seed(uint64_t seed) {
  return stream_seed(seed, 0);
}

// A whole number for key i, which depends on the kind of input. kRandom is 32 random bits.
inline uint32_t number_of(Input input, uint64_t seed, int n, uint64_t i) {
  const uint64_t keys = key_seed(seed);
  switch (input) {
    case Input::kEqual:
      return 7;
    case Input::kFew:
      return random_below(keys, i, 4);
    case Input::kEnds:
      // The least and the largest key, which a submission may use as padding.
      return random_below(keys, i, 2) == 0 ? 0 : 0xFFFFFFFF;
    case Input::kAscending:
      return static_cast<uint32_t>(i);
    case Input::kNearly:
      // In order, but here and there two neighbours have changed places.
      return static_cast<uint32_t>(i / 2 % 499 == 7 ? i ^ 1 : i);
    case Input::kDescending:
      return static_cast<uint32_t>(n - 1 - i);
    case Input::kSaw:
      return static_cast<uint32_t>(i % 1000);
    default:
      return static_cast<uint32_t>(random_bits(keys, i) >> 32);
  }
}

// Values are all different: an odd factor permutes the numbers modulo 2^32, and can be undone.
inline uint32_t value_factor(uint64_t seed) {
  return static_cast<uint32_t>(stream_seed(seed, 1)) | 1;
}
inline uint32_t value_offset(uint64_t seed) {
  return static_cast<uint32_t>(stream_seed(seed, 2));
}
