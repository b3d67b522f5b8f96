// The options of a case: "--rows 1000 --cols 33 --seed 7".
//
// The same words are a runner's command line, the grader's request and the judge's arguments, so
// that the command printed beside a failure repeats the failed run exactly.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// A command line that cannot be used; what() is the sentence for the user.
class OptionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Options {
 public:
  // Words are "--name value" or "-n value"; a name followed by another name is a flag.
  explicit Options(const std::vector<std::string>& words);

  // The value of --name, or `otherwise`. Throws OptionError unless the value is a whole number >=
  // 0.
  uint64_t number(const std::string& name, uint64_t otherwise) const;
  // number() for sizes that must fit an int.
  int count(const std::string& name, int otherwise) const;
  std::string text(const std::string& name, const std::string& otherwise) const;
  bool flag(const std::string& name) const;

  // Throws OptionError for an option that was never read: a misspelt option is never ignored.
  void require_all_used() const;
  // All words, as a line.
  std::string line() const;

 private:
  std::map<std::string, std::string> values_;
  mutable std::set<std::string> used_;
  std::string line_;
};

// "a  b c" -> {"a", "b", "c"}
std::vector<std::string> split_words(const std::string& line);
