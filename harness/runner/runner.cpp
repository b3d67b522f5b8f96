// The program around a student file, run by hand or by the grader.
//
//   build/cpu/transpose/transpose --rows 1000 --cols 33 --seed 7 [--repeats 5] [--no-check]
//     [--enough-ms M]  no further repeat after this total time
//     [--one-input]  all repeats have the input of the first, and only the first output is kept:
//                    for programs of the course, which leave their inputs unchanged
//     [--judge R]  the repeat to judge, instead of the first
//     [--frames A:B [--animate]]  several frames of a moving scene; numbered pictures
//   <program> --list                         prints the program's library peers, as a line of JSON
//   <program> [--peer NAME] --serve REQUESTS WAKE CHANNEL
//                                            the grader's protocol, on three file descriptors
//
// Protocol: a line per request, a JSON object per reply, through channel.h and never on stdout.
//   run <options>   {"status": "ok", "times_ms": [...], "bytes": B, "limit_ms": L,
//                   "limit": "link", "retaken": N, "waited_ms": W}
//                   {"status": "cuda_error" | "option_error" | "input_modified",
//                    "detail": "one sentence"}
//   fetch <repeat>  {"status": "ok", "size": S}: the outputs of the repeat, guard bands included,
//                   are in the channel
//   fingerprint <repeat>  {"status": "ok", "fingerprint": "16 digits"}: of the same bytes
// A program built to count or to sanitize writes its counts or findings before the reply. The
// grader believes no reply about correctness: the judge sees only the bytes.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "channel.h"
#include "fingerprint.h"
#include "names.h"
#include "output_archive.h"
#include "peers.h"
#include "problem.h"
#include "random.h"
#include "stopwatch.h"

#ifdef __CUDACPU__
#include "cudacpu_watch.h"
#endif
#ifdef __CUDACPU_PROFILE__
#include "cudacpu_profile.h"
#endif
#ifdef __CUDACPU_SANITIZE__
#include "cudacpu_findings.h"
#endif

namespace {

std::string selected;

// A case that has been run, with the outputs of all its repeats.
struct Measurement {
  std::vector<float> times_ms;
  double bytes = 0;
  double limit_ms = 0;
  std::string limit;
  int retaken = 0;        // measurements that were repeated because memory was disturbed
  double waited_ms = 0;   // for undisturbed memory
  OutputArchive outputs;  // of each repeat, or of the first
};

// The student's function wrote to memory that it may only read.
class InputModified : public std::runtime_error {
 public:
  explicit InputModified(const std::string& name)
      : std::runtime_error(name + " was modified, but it is const") {}
};

// A fingerprint of the inputs.
std::vector<uint64_t> fingerprints(const std::vector<ConstRegion>& inputs) {
  std::vector<uint64_t> found;
  for (const ConstRegion& input : inputs)
    found.push_back(fingerprint(input.region));
  return found;
}

// Throws InputModified if an input has changed.
void require_unmodified(const std::vector<ConstRegion>& inputs,
                        const std::vector<uint64_t>& before) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (fingerprint(inputs[i].region) != before[i]) throw InputModified(inputs[i].name);
  }
}

// Passes the results of the CPU device's modes to the grader, or to a file when run by hand.
void deliver_profile() {
#ifdef __CUDACPU_PROFILE__
  if (channel::is_open()) {
    size_t bytes = 0;
    const char* const text = cudacpu_profile_text(&bytes);
    channel::profile(text, bytes);
  } else {
    cudacpu_profile_write(nullptr);
  }
  cudacpu_profile_pause();
#endif
}
void deliver_findings() {
#ifdef __CUDACPU_SANITIZE__
  cudacpu_findings_write();
#endif
}

// During its lifetime the CPU device ends the program if the student's host code never returns.
struct Watch {
#ifdef __CUDACPU__
  Watch() {
    cudacpu_watch_begin();
  }
  ~Watch() {
    cudacpu_watch_end();
  }
#endif
};

// Calls the student's function. A profile covers the last call only, without the making of its
// input.
void call(Problem& problem) {
#ifdef __CUDACPU_PROFILE__
  cudacpu_profile_reset();
#endif
  try {
    const Watch watch;
    problem.call();
  } catch (const OptionError& error) {
    // An OptionError from the student's code must not look like an unknown case.
    throw std::logic_error(error.what());
  }
  deliver_profile();
}

// The inputs of a problem's repeats, or the single input of all repeats.
class Inputs {
 public:
  Inputs(Problem& problem, uint64_t seed, bool is_one)
      : problem_(problem), seed_(seed), is_one_(is_one) {}

  void prepare(int repeat) {
    if (!is_one_) {
      problem_.prepare(stream_seed(seed_, repeat));
    } else if (!is_made_) {
      problem_.prepare(stream_seed(seed_, 0));
      is_made_ = true;
    } else {
      problem_.prepare_again(stream_seed(seed_, 0));
    }
  }

 private:
  Problem& problem_;
  uint64_t seed_;
  bool is_one_;
  bool is_made_ = false;
};

// `stopwatch` is kept from case to case: a new stopwatch takes memory and calibrates its rate.
Measurement measure(const Options& options, Stopwatch& stopwatch) {
  const uint64_t seed = options.number("seed", 1);
  const int repeats = std::max(1, options.count("repeats", 1));
  selected = options.text("peer", selected);
  if (!kPeers.empty() && std::find(kPeers.begin(), kPeers.end(), selected) == kPeers.end()) {
    throw OptionError("no peer '" + selected + "' in this program; --list names them");
  }
  options.flag("no-check");
  const int enough_ms = options.count("enough-ms", 0);
  const bool one_input = options.flag("one-input");
  const int kept = one_input ? 1 : repeats;  // of the outputs
  if (options.count("judge", 0) >= kept)
    throw OptionError("--judge counts from 0 to repeats - 1, and is 0 with --one-input");
  const std::unique_ptr<Problem> problem = make_problem(options);
  options.require_all_used();

  Measurement result;
  result.bytes = problem->bytes_moved();
  result.limit_ms = problem->limit_ms();
  result.limit = problem->limit();
  Inputs inputs(*problem, seed, one_input);
  const double waited_before_ms = stopwatch.waited_ms();
  if (repeats > 1) {
    // A first call, which is no repeat, loads the module and creates library handles.
    inputs.prepare(repeats);
    stopwatch.time_ms([&] { call(*problem); });
  }
  Retakes retakes;
  double sum_ms = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    float ms = 0;
    bool again = false;
    do {
      inputs.prepare(repeat);
      const std::vector<Region> outputs = problem->outputs();
      const bool keep = repeat < kept;
      if (keep && !again) result.outputs.reserve(outputs);
      // Checks the last repeat, not the first call, so that the check disturbs no measurement.
      const bool last = repeat + 1 == repeats;
      const std::vector<ConstRegion> checked =
          last ? problem->inputs() : std::vector<ConstRegion>();
      const std::vector<uint64_t> before = fingerprints(checked);
      const auto work = [&] { call(*problem); };
      const auto take = [&] {
        if (keep) result.outputs.take(outputs);
      };
      ms = repeats > 1 ? stopwatch.time_ms(work, take) : stopwatch.time_once_ms(work, take);
      require_unmodified(checked, before);
      again = retakes.again(stopwatch.disturbed());
    } while (again);
    result.times_ms.push_back(ms);
    sum_ms += ms;
    if (enough_ms > 0 && sum_ms >= enough_ms) break;
  }
  result.retaken = retakes.count();
  result.waited_ms = stopwatch.waited_ms() - waited_before_ms;
  return result;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "\"";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string sixteen_digits(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string failure(const char* status, const std::exception& error) {
  return "{\"status\": " + quoted(status) + ", \"detail\": " + quoted(error.what()) + "}";
}

std::string reply_to_run(const Measurement& measurement) {
  std::string times;
  for (const float ms : measurement.times_ms)
    times += (times.empty() ? "" : ", ") + number(ms);
  return "{\"status\": \"ok\", \"times_ms\": [" + times +
         "], \"bytes\": " + number(measurement.bytes) +
         ", \"limit_ms\": " + number(measurement.limit_ms) +
         ", \"limit\": " + quoted(measurement.limit) +
         ", \"retaken\": " + std::to_string(measurement.retaken) +
         ", \"waited_ms\": " + number(measurement.waited_ms) + "}";
}

// Answers requests until the grader closes the pipe or the device is in an error state.
int serve() {
  FILE* in = fdopen(channel::requests(), "r");
  if (in == nullptr) return 2;
  Measurement last;
  std::optional<Stopwatch> stopwatch;
  char* line = nullptr;
  size_t capacity = 0;
  bool usable = true;
  while (usable && getline(&line, &capacity, in) > 0) {
    std::vector<std::string> words = split_words(line);
    if (words.empty()) continue;
    const std::string verb = words.front();
    words.erase(words.begin());
    std::string reply;
    try {
      if (verb == "fetch") {
        const size_t repeat = std::stoul(words.at(0));
        const size_t size = last.outputs.bytes(repeat);
        channel::output(size, [&](unsigned char* to) { last.outputs.copy_to(repeat, to); });
        reply = "{\"status\": \"ok\", \"size\": " + std::to_string(size) + "}";
      } else if (verb == "fingerprint") {
        const uint64_t found = last.outputs.fingerprint(std::stoul(words.at(0)));
        reply = "{\"status\": \"ok\", \"fingerprint\": " + quoted(sixteen_digits(found)) + "}";
      } else {
        last = Measurement();
        if (!stopwatch) stopwatch.emplace();
        last = measure(Options(words), *stopwatch);
        reply = reply_to_run(last);
      }
    } catch (const CudaError& error) {
      reply = failure("cuda_error", error);
      usable = false;  // a failed launch stays with the process: the grader starts a new process
    } catch (const OptionError& error) {
      reply = failure("option_error", error);
    } catch (const InputModified& error) {
      reply = failure("input_modified", error);
    }
    deliver_findings();
    channel::reply(reply);
  }
  std::free(line);
  channel::finished();
  return 0;
}

// A file in memory with the outputs of a repeat.
int file_of(const OutputArchive& outputs, size_t repeat) {
  const size_t bytes = outputs.bytes(repeat);
  const int file = memfd_create("output", 0);
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0) throw std::runtime_error("no memory");
  if (bytes == 0) return file;
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) throw std::runtime_error("no memory");
  outputs.copy_to(repeat, static_cast<unsigned char*>(mapped));
  munmap(mapped, bytes);
  return file;
}

// Runs the judge on the outputs of a repeat, the first or --judge, and prints its answer. The judge
// is beside the device's folder: build/cpu/saxpy/saxpy_host -> build/judge/saxpy.
void print_judgement(const Options& options, const OutputArchive& outputs) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
  const std::string path(self);
  const size_t build = path.rfind("/build/");
  const std::string judge = path.substr(0, build) + "/build/judge/" + kAssignmentName;
  if (build == std::string::npos || access(judge.c_str(), X_OK) != 0) {
    std::printf("check     the judge is missing: make build/judge/%s\n", kAssignmentName);
    return;
  }
  const int repeat = options.count("judge", 0);
  const int output = file_of(outputs, repeat);
  std::vector<std::string> words = split_words(options.line());
  words.insert(words.begin(), {judge, "--part", kPartName, "--output-fd", std::to_string(output),
                               "--repeat", std::to_string(repeat), "--plain"});
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  std::printf("check     ");
  std::fflush(stdout);
  if (fork() == 0) {
    execv(judge.c_str(), argv.data());
    _exit(127);
  }
  wait(nullptr);
  close(output);
}

void run_by_hand(const Options& options) {
  Stopwatch stopwatch;
  const Measurement measurement = measure(options, stopwatch);
  std::vector<float> times = measurement.times_ms;
  std::sort(times.begin(), times.end());
  const float median = times[times.size() / 2];
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s %s\n", kPartName, options.line().c_str());
  std::printf("device    %s\n", properties.name);
  std::printf("time      %.4f ms", median);
  if (times.size() > 1) {
    std::printf("   median of %zu, %.4f to %.4f", times.size(), times.front(), times.back());
  }
  std::printf("\nrate      %.1f GB/s   %.0f bytes that any solution must move\n",
              measurement.bytes / (median * 1e6), measurement.bytes);
  if (measurement.limit_ms > 0) {
    std::printf("limit     %.4f ms   at the %s\n", measurement.limit_ms,
                measurement.limit == "peak" ? "peak rate of the units that compute"
                                            : "measured rate of the link");
  }
  if (!options.flag("no-check")) print_judgement(options, measurement.outputs);
}

// "--frames 0:3" stands for three runs, "--frame 0", "--frame 1" and "--frame 2". With --animate
// the picture of frame 2, else --out f.png, is f-0002.png.
std::vector<std::vector<std::string>> frames_of(const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), "--frames");
  if (found == words.end()) return {words};
  int first = 0;
  int end = 0;
  if (found + 1 == words.end() || std::sscanf(found[1].c_str(), "%d:%d", &first, &end) != 2) {
    throw OptionError("--frames wants the first frame and the one behind the last: --frames 0:4");
  }
  std::vector<std::vector<std::string>> frames;
  for (int frame = first; frame < end; ++frame) {
    std::vector<std::string> one = words;
    one[found - words.begin()] = "--frame";
    one[found - words.begin() + 1] = std::to_string(frame);
    const auto animate = std::find(one.begin(), one.end(), "--animate");
    if (animate != one.end()) {
      one.erase(animate);
      const auto out = std::find(one.begin(), one.end(), "--out");
      if (out != one.end() && out + 1 != one.end()) {
        char number[16];
        std::snprintf(number, sizeof number, "-%04d", frame);
        out[1].insert(std::min(out[1].rfind('.'), out[1].size()), number);
      }
    }
    frames.push_back(one);
  }
  return frames;
}

void print_peers() {
  std::string names;
  for (const std::string& peer : kPeers)
    names += (names.empty() ? "" : ", ") + quoted(peer);
  std::printf("[%s]\n", names.c_str());
}

}  // namespace

const std::string& selected_peer() {
  return selected;
}

int main(int argc, char** argv) {
#ifdef __CUDACPU_PROFILE__
  cudacpu_profile_pause();
#endif
#ifdef __CUDACPU_SANITIZE__
  if (channel::is_open()) cudacpu_findings_to(channel::findings);
#endif
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!kPeers.empty()) selected = kPeers.front();
  if (words.size() == 6 && words[0] == "--peer") {
    selected = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.size() == 4 && words[0] == "--serve" && channel::is_open()) return serve();
  if (words.size() == 1 && words[0] == "--list") {
    print_peers();
    return 0;
  }
  try {
    for (const std::vector<std::string>& frame : frames_of(words))
      run_by_hand(Options(frame));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", kPartName, error.what());
    return 2;
  }
}
