// The judge's main(): compares a repeat's output bytes with the reference.
//
//   build/judge/transpose --part transpose --output-fd 3 --repeat 0 --rows 8 --cols 8 --seed 7
//
// Prints a line of JSON: {"verdict": "ok"} or {"verdict": "wrong", "detail": "..."}; with --plain
// the same as a sentence. Exit status 0 whatever the verdict, 2 when the judge could not judge.
#include "judge.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdio>

#include "guard.h"
#include "random.h"

namespace {

bool is_poison(const void* value, size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(value);
  for (size_t i = 0; i < bytes; ++i) {
    if (byte[i] != kPoison) return false;
  }
  return true;
}

void check_guard(const unsigned char* guard, const std::string& name, bool behind) {
  for (size_t i = 0; i < kGuardBytes; ++i) {
    if (guard[i] == kPoison) continue;
    // In the band before the output, the byte nearest to the output is the band's last.
    const size_t distance = behind ? i + 1 : kGuardBytes - i;
    throw Wrong(name + " was written outside its bounds: byte " + std::to_string(distance) +
                (behind ? " behind its end" : " before its begin"));
  }
}

// The bytes behind a file descriptor, mapped read-only.
class MappedFile {
 public:
  explicit MappedFile(int file) {
    struct stat status;
    if (fstat(file, &status) != 0) throw OptionError("--output-fd is not an open file");
    size_ = static_cast<size_t>(status.st_size);
    if (size_ == 0) return;
    bytes_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
    if (bytes_ == MAP_FAILED) throw OptionError("--output-fd cannot be mapped");
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (size_ > 0) munmap(bytes_, size_);
  }
  Submission submission() const {
    return Submission(static_cast<const unsigned char*>(bytes_), size_);
  }

 private:
  void* bytes_ = nullptr;
  size_t size_ = 0;
};

// Throws Wrong, OptionError.
void judge(const Options& options) {
  const MappedFile file(options.count("output-fd", 0));
  const std::string part = options.text("part", kPartJudges.front().part);
  const uint64_t seed = stream_seed(options.number("seed", 1), options.number("repeat", 0));
  for (const PartJudge& each : kPartJudges) {
    if (each.part != part) continue;
    Submission submission = file.submission();
    each.judge(options, seed, submission);
    submission.require_end();
    return;
  }
  throw OptionError("no part '" + part + "' in this assignment");
}

void print_verdict(bool plain, const char* verdict, const std::string& detail) {
  if (plain) {
    std::printf("%s%s%s\n", verdict, detail.empty() ? "" : ": ", detail.c_str());
  } else if (detail.empty()) {
    std::printf("{\"verdict\": \"%s\"}\n", verdict);
  } else {
    std::printf("{\"verdict\": \"%s\", \"detail\": \"%s\"}\n", verdict, detail.c_str());
  }
}

}  // namespace

const unsigned char* Submission::take_bytes(const std::string& name, size_t bytes) {
  if (left_ < bytes + 2 * kGuardBytes) throw Wrong("no output: " + name + " is missing");
  const unsigned char* data = next_ + kGuardBytes;
  check_guard(next_, name, false);
  check_guard(data + bytes, name, true);
  next_ = data + bytes + kGuardBytes;
  left_ -= bytes + 2 * kGuardBytes;
  return data;
}

void Submission::require_end() const {
  if (left_ > 0) throw Wrong(std::to_string(left_) + " bytes more than the outputs were handed in");
}

std::string show(float value) {
  if (is_poison(&value, sizeof value)) return "nan (never written)";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return text;
}

std::string show(int value) {
  return std::to_string(value) + (is_poison(&value, sizeof value) ? " (never written?)" : "");
}

std::string show(unsigned value) {
  return std::to_string(value) + (is_poison(&value, sizeof value) ? " (never written?)" : "");
}

int main(int argc, char** argv) {
  const Options options(std::vector<std::string>(argv + 1, argv + argc));
  const bool plain = options.flag("plain");
  try {
    judge(options);
    print_verdict(plain, "ok", "");
  } catch (const Wrong& wrong) {
    print_verdict(plain, "wrong", wrong.what());
  } catch (const std::exception& error) {  // an option, or a failed write of a picture
    std::fprintf(stderr, "judge: %s\n", error.what());
    return 2;
  }
  return 0;
}
