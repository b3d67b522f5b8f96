#include "options.h"

#include <climits>
#include <sstream>

namespace {

bool is_name(const std::string& word) {
  return word.size() > 1 && word[0] == '-';
}

std::string without_dashes(const std::string& word) {
  return word.substr(word.find_first_not_of('-'));
}

}  // namespace

Options::Options(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_name(words[i])) {
      throw OptionError("'" + words[i] + "' is not an option; options look like --rows 100");
    }
    line_ += (line_.empty() ? "" : " ") + words[i];
    const std::string name = without_dashes(words[i]);
    const bool has_value = i + 1 < words.size() && !is_name(words[i + 1]);
    values_[name] = has_value ? words[++i] : "";
    if (has_value) line_ += " " + words[i];
  }
}

uint64_t Options::number(const std::string& name, uint64_t otherwise) const {
  const std::string value = text(name, "");
  if (!flag(name)) return otherwise;
  try {
    size_t parsed = 0;
    const uint64_t result = std::stoull(value, &parsed);
    if (parsed == value.size() && value[0] != '-') return result;
  } catch (const std::logic_error&) {
  }
  throw OptionError("--" + name + " wants a whole number from 0 on, not '" + value + "'");
}

int Options::count(const std::string& name, int otherwise) const {
  const uint64_t value = number(name, static_cast<uint64_t>(otherwise));
  if (value <= INT_MAX) return static_cast<int>(value);
  throw OptionError("--" + name + " must be below 2^31");
}

std::string Options::text(const std::string& name, const std::string& otherwise) const {
  used_.insert(name);
  const auto found = values_.find(name);
  return found == values_.end() ? otherwise : found->second;
}

bool Options::flag(const std::string& name) const {
  used_.insert(name);
  return values_.count(name) > 0;
}

void Options::require_all_used() const {
  for (const auto& [name, value] : values_) {
    if (used_.count(name)) continue;
    std::string known;
    for (const std::string& each : used_)
      known += " --" + each;
    throw OptionError("unknown option --" + name + "; known here:" + known);
  }
}

std::string Options::line() const {
  return line_;
}

std::vector<std::string> split_words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}
