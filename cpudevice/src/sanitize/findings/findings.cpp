#include "sanitize/findings/findings.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "diagnostics/source_line.h"
#include "sanitize/findings/causes.h"
#include "sanitize/findings/thread_names.h"
#include "sanitize/memory/allocations.h"
#include "sanitize/memory/shadow.h"
#include "scheduler/threads/worker.h"

namespace cudacpu::sanitize {
namespace {

constexpr size_t kMostFindings = 200;
constexpr const char* kNames[] = {"race",        "bad_access", "uninitialised", "barrier",
                                  "mask",        "leak",       "host_device",   "misaligned",
                                  "double_free", "stack",      "timeout"};

struct Finding {
  Report report;
  std::string kernel;
  uint64_t launch = 0;
  uint3 block{};
  dim3 shape;
  ThreadSet threads;
  bool freed = false;  // whether the allocation was freed by then
  uint64_t count = 0;
};

// What distinguishes one finding from another before lines are known.
using Key =
    std::tuple<Cause, const void*, const void*, const char*, int, uint64_t, const KernelInfo*>;

struct Findings {
  std::mutex mutex;
  std::vector<Finding> list;
  std::map<Key, size_t> numbers;
  size_t dropped = 0;
  Note note = nullptr;

  // The caller holds the mutex.
  void add(Finding finding) {
    list.push_back(std::move(finding));
    if (note) note(list.size(), nullptr, 0, 0);
  }
};
Findings& findings() {
  static auto* const all = new Findings;
  return *all;
}

const Launch* running_launch() {
  return context.worker ? context.worker->launch : nullptr;
}

Key key_of(Cause cause, const SourcePlace& place, const SourcePlace& other, uint64_t detail) {
  const Launch* launch = running_launch();
  return {
      cause, place.pc, other.pc, place.file, place.line, detail, launch ? launch->info : nullptr};
}

bool same(uint3 a, uint3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Counts for `thread`, whose number is kept if the block is that of the first occurrence.
void count(Finding& finding, unsigned thread) {
  ++finding.count;
  const Launch* launch = running_launch();
  if (launch && launch->number == finding.launch && same(blockIdx, finding.block) &&
      !finding.threads.has(thread)) {
    finding.threads.add(thread);
  }
}

// ---- telling ---------------------------------------------------------------------------------

// The lines of all places that findings name, each looked up once.
class Lines {
 public:
  explicit Lines(const std::vector<Finding>& list) {
    for (const Finding& finding : list) {
      add(finding.report.place.pc);
      add(finding.report.other.pc);
      add(finding.report.since);
      add(finding.report.trace);
      add(finding.report.other_trace);
      if (finding.report.allocation < 0) continue;
      const AllocationInfo info = allocation_info(finding.report.allocation);
      add(info.made);
      add(info.freed);
    }
    std::vector<const void*> wanted;
    for (auto& [pc, lines] : found_)
      wanted.push_back(static_cast<const char*>(pc) - 1);
    const auto answers = source_lines(wanted);
    size_t i = 0;
    for (auto& [pc, lines] : found_)
      lines = answers[i++];
  }

  // "file:line", or "" if not known.
  std::string of(const SourcePlace& place) const {
    if (place.file) return without_directory(place.file) + ":" + std::to_string(place.line);
    if (!place.pc) return "";
    const auto& lines = found_.at(place.pc);
    return lines.empty() ? "" : lines.front();
  }
  // The innermost line outside the harness; without any, the innermost line.
  std::string of(const Backtrace& trace) const {
    const std::string line = outside_harness(trace);
    if (!line.empty()) return line;
    for (int i = 0; i < trace.count; ++i) {
      const auto& lines = found_.at(trace.frame[i]);
      if (!lines.empty()) return lines.front();
    }
    return "";
  }
  // The innermost line outside the harness; "" for what the harness does for itself.
  std::string outside_harness(const Backtrace& trace) const {
    for (int i = 0; i < trace.count; ++i) {
      for (const std::string& line : found_.at(trace.frame[i])) {
        // The grader runs programs in another directory: then paths are absolute.
        if (line.rfind("harness/", 0) != 0 && line.find("/harness/") == std::string::npos)
          return line;
      }
    }
    return "";
  }

 private:
  void add(const Backtrace& trace) {
    for (int i = 0; i < trace.count; ++i)
      add(trace.frame[i]);
  }
  void add(const void* pc) {
    if (pc) found_[pc];
  }
  std::map<const void*, std::vector<std::string>> found_;
};

void split(const std::string& text, std::string* file, int* line) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return;
  *file = text.substr(0, colon);
  *line = atoi(text.c_str() + colon + 1);
}

std::string describe_allocation(int number, bool was_freed, const Lines& lines) {
  if (number < 0) return "";
  const AllocationInfo info = allocation_info(number);
  std::string text = std::to_string(info.bytes) +
                     (info.bytes == 1 ? " byte from " : " bytes from ") + info.function;
  const std::string made = lines.outside_harness(info.made);
  const std::string freed = lines.outside_harness(info.freed);
  if (!made.empty()) text += " at " + made;
  if (was_freed) text += freed.empty() ? ", freed" : ", freed at " + freed;
  return text;
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  for (size_t at; (at = text.find(what)) != std::string::npos;)
    text.replace(at, what.size(), by);
}

Described describe(const Finding& finding, const Lines& lines) {
  Described described;
  described.cause = finding.report.cause;
  described.kind = kNames[static_cast<int>(finding.report.cause)];
  std::string where = lines.of(finding.report.place), other = lines.of(finding.report.other);
  if (where.empty()) where = lines.of(finding.report.trace);
  if (other.empty()) other = lines.of(finding.report.other_trace);
  split(where, &described.file, &described.line);
  split(other, &described.other_file, &described.other_line);
  described.sentence = finding.report.sentence;
  described.allocation = describe_allocation(finding.report.allocation, finding.freed, lines);
  replace(described.sentence, "{other}",
          other.empty()    ? "another place"
          : other == where ? "the same line"
                           : other);
  replace(described.sentence, "{allocation}", described.allocation);
  described.kernel = finding.kernel;
  described.in_kernel = !finding.kernel.empty();
  described.block = finding.block;
  described.threads = thread_ranges(finding.threads, finding.shape);
  described.count = finding.count;
  described.detail = finding.report.detail;
  described.allocation_number = finding.report.allocation;
  described.shared = finding.report.shared;
  described.against = finding.report.against;
  described.since = lines.of(SourcePlace{finding.report.since});
  return described;
}

// The findings with their lines; findings about the same lines are joined.
std::vector<Described> describe_all() {
  std::vector<Finding> list;
  {
    std::lock_guard<std::mutex> lock(findings().mutex);
    list = findings().list;
  }
  const Lines lines(list);
  std::vector<Described> all;
  std::map<std::tuple<Cause, std::string, std::string, std::string>, size_t> numbers;
  for (const Finding& finding : list) {
    Described described = describe(finding, lines);
    std::string a = described.file + ":" + std::to_string(described.line);
    std::string b = described.other_file + ":" + std::to_string(described.other_line);
    if (described.cause == Cause::kRace && !described.in_kernel)
      b.clear();  // the host has not waited: a single cause
    if (described.cause == Cause::kRace && described.in_kernel && b < a) std::swap(a, b);
    if (described.file.empty() || described.cause == Cause::kLeak) a += described.sentence;
    auto [found, fresh] =
        numbers.try_emplace({described.cause, a, b, described.kernel}, all.size());
    if (fresh) {
      all.push_back(std::move(described));
      continue;
    }
    // A race within a block says more than the race within a warp at the same lines, and its cure
    // fixes both.
    described.count += all[found->second].count;
    if (described.cause == Cause::kRace && described.detail > all[found->second].detail) {
      all[found->second] = std::move(described);
    } else {
      all[found->second].count = described.count;
    }
  }
  return in_order_of_cause(std::move(all));
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "\"";
}

std::string as_json(const Described& described) {
  const auto text = [](const std::string& s) { return s.empty() ? "null" : quoted(s); };
  const auto line = [](int n) { return n ? std::to_string(n) : "null"; };
  std::string block = "null";
  if (described.in_kernel) {
    block = "[" + std::to_string(described.block.x) + ", " + std::to_string(described.block.y) +
            ", " + std::to_string(described.block.z) + "]";
  }
  std::string places;
  for (const std::string& place : described.places)
    places += (places.empty() ? "[" : ", ") + quoted(place);
  places = places.empty() ? "[]" : places + "]";
  return std::string("{\"kind\": \"") + described.kind +
         "\", \"sentence\": " + quoted(described.sentence) + ", \"file\": " + text(described.file) +
         ", \"line\": " + line(described.line) + ", \"other_file\": " + text(described.other_file) +
         ", \"other_line\": " + line(described.other_line) +
         ", \"kernel\": " + text(described.kernel) + ", \"block\": " + block +
         ", \"threads\": " + text(described.threads) +
         ", \"allocation\": " + text(described.allocation) + ", \"places\": " + places +
         ", \"count\": " + std::to_string(described.count) + "}\n";
}

std::string as_text(const Described& described) {
  std::string text = std::string("sanitize: ") + described.kind;
  if (!described.file.empty())
    text += " at " + described.file + ":" + std::to_string(described.line);
  if (described.in_kernel) {
    text += " in kernel " + described.kernel + ", block (" + std::to_string(described.block.x) +
            "," + std::to_string(described.block.y) + "," + std::to_string(described.block.z) + ")";
    if (!described.threads.empty()) {
      const bool flat = described.threads[0] != '(';
      const bool many = described.threads.find(flat ? "," : "),") != std::string::npos ||
                        described.threads.find('-') != std::string::npos;
      text += (many ? ", threads " : ", thread ") + described.threads;
    }
  }
  text += "\n    " + described.sentence + "\n";
  if (described.count > 1) text += "    " + std::to_string(described.count) + " times in all\n";
  return text;
}

void write_all(int file, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n <= 0) return;
    done += static_cast<size_t>(n);
  }
}

}  // namespace

bool seen_before(Cause cause, const SourcePlace& place, const SourcePlace& other, uint64_t detail) {
  std::lock_guard<std::mutex> lock(findings().mutex);
  const auto found = findings().numbers.find(key_of(cause, place, other, detail));
  if (found == findings().numbers.end()) return false;
  if (found->second < findings().list.size()) count(findings().list[found->second], now.thread);
  return true;
}

void add_finding(const Report& report) {
  std::lock_guard<std::mutex> lock(findings().mutex);
  auto [found, fresh] = findings().numbers.try_emplace(
      key_of(report.cause, report.place, report.other, report.detail), SIZE_MAX);
  if (!fresh) {
    if (found->second < findings().list.size()) count(findings().list[found->second], now.thread);
    return;
  }
  if (findings().list.size() >= kMostFindings) {
    ++findings().dropped;
    return;
  }
  Finding finding;
  finding.report = report;
  if (const Launch* launch = running_launch()) {
    finding.kernel = launch->info->name;
    finding.launch = launch->number;
    finding.block = blockIdx;
    finding.shape = launch->block;
  }
  if (report.allocation >= 0) finding.freed = !allocation_info(report.allocation).live;
  count(finding, now.thread);
  if (!report.threads.empty()) finding.threads = report.threads;
  found->second = findings().list.size();
  findings().add(std::move(finding));
}

void add_launch_finding(const Report& report, const Launch& launch, uint3 block,
                        const ThreadSet& threads) {
  std::lock_guard<std::mutex> lock(findings().mutex);
  if (findings().list.size() >= kMostFindings) return;
  Finding finding;
  finding.report = report;
  finding.kernel = launch.info->name;
  finding.launch = launch.number;
  finding.block = block;
  finding.shape = launch.block;
  finding.threads = threads;
  finding.count = 1;
  findings().add(std::move(finding));
}

size_t finding_count() {
  std::lock_guard<std::mutex> lock(findings().mutex);
  return findings().list.size();
}

void send_findings_to(Note note) {
  std::lock_guard<std::mutex> lock(findings().mutex);
  findings().note = note;
}

void write_findings() {
  const Note note = findings().note;
  const char* path = getenv("CUDACPU_FINDINGS");
  if (!note && (!path || !*path)) return;
  const auto all = describe_all();
  std::string text;
  for (const Described& described : all)
    text += as_json(described);
  if (note) return note(finding_count(), text.data(), text.size(), all.size());
  // The file is written again, because counts grow. A program of several processes keeps the
  // findings of each.
  static bool begun = false;
  static off_t offset = 0;
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  if (!begun) offset = lseek(file, 0, SEEK_END);
  begun = true;
  if (ftruncate(file, offset) == 0 && lseek(file, offset, SEEK_SET) == offset)
    write_all(file, text);
  close(file);
}

void print_findings() {
  const char* json = getenv("CUDACPU_JSON");
  const bool as_lines = json && *json && strcmp(json, "0") != 0;
  std::string text;
  const auto all = describe_all();
  for (const Described& described : all)
    text += as_lines ? as_json(described) : as_text(described);
  if (!as_lines && findings().dropped) {
    text += "sanitize: " + std::to_string(findings().dropped) + " more findings are not shown\n";
  }
  write_all(as_lines ? STDOUT_FILENO : STDERR_FILENO, text);
}

}  // namespace cudacpu::sanitize
