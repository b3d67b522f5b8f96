// The interface of an assignment's reference.cpp: the right answers and how outputs are compared.
//
// The judge is a trusted program: the judge never links or runs student code, generates the input
// again from the seed, and reads only the output bytes of the runner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "options.h"
#include "parallel.h"

// A wrong output; what() is the first mismatch: "index 5 (row 0, column 5): got 3, want 4".
class Wrong : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The outputs of a repeat, in the order of Problem::outputs().
class Submission {
 public:
  Submission(const unsigned char* bytes, size_t size) : next_(bytes), left_(size) {}

  // The next output: `count` elements of T, called `name` in messages. Throws Wrong when bytes are
  // missing or a guard band of the output was overwritten.
  template <class T>
  const T* take(const std::string& name, size_t count) {
    return reinterpret_cast<const T*>(take_bytes(name, count * sizeof(T)));
  }
  // Throws Wrong unless everything was taken.
  void require_end() const;

 private:
  const unsigned char* take_bytes(const std::string& name, size_t bytes);

  const unsigned char* next_;
  size_t left_;
};

// The text of a value in a mismatch: 9 significant digits, and "nan (never written?)" for the
// poison that fills outputs before a call.
std::string show(float value);
std::string show(int value);
std::string show(unsigned value);

// Throws Wrong with the value at index `i` and the expected value. `place` explains the index.
template <class T, class Right>
[[noreturn]] void mismatch(size_t i, const T& got, const Right& right,
                           const std::string& place = "") {
  throw Wrong("index " + std::to_string(i) + (place.empty() ? "" : " (" + place + ")") + ": got " +
              show(got) + ", want " + show(right));
}

// Throws Wrong at the first index i < count where matches(got[i], want(i)) is false; both are
// called on several processors, in any order. `place` adds to the message: "row 0, column 5".
template <class T, class Want, class Matches>
void compare(const T* got, size_t count, const Want& want, const Matches& matches,
             const std::function<std::string(size_t)>& place = nullptr) {
  const size_t i = first_where(count, [&](size_t at) { return !matches(got[at], want(at)); });
  if (i != kNowhere) mismatch(i, got[i], want(i), place ? place(i) : "");
}

// Judges a part; throws Wrong. `seed` is the repeat's seed, as given to Problem::prepare.
struct PartJudge {
  std::string part;
  std::function<void(const Options& options, uint64_t seed, Submission& submission)> judge;
};

// All parts of the assignment. Defined once by each reference.cpp.
extern const std::vector<PartJudge> kPartJudges;
