#include "profile/report.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <tuple>

#include "diagnostics/source_line.h"
#include "profile/fields.h"
#include "profile/gpu/counters.h"
#include "profile/gpu/sizes.h"
#include "profile/trace/basic_blocks.h"
#include "profile/trace/places.h"

namespace cudacpu::profile {
namespace {

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* pattern, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, pattern);
  vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= ' ') result += c;
  }
  return result + "\"";
}

std::string number(double value) {
  return format("%.6g", value);
}
std::string number(uint64_t value) {
  return std::to_string(value);
}

double ratio(uint64_t a, uint64_t b) {
  return b ? static_cast<double>(a) / static_cast<double>(b) : 0;
}

uint64_t rounded(double value) {
  return static_cast<uint64_t>(std::llround(value));
}

uint64_t bytes_of(uint64_t sectors) {
  return kSectorBytes * sectors;
}

// A field of fields.h.
#define AS_JSON(name, value) +", \"" #name "\": " + number(value)

std::string access_name(uint8_t kind) {
  if (is_texture(kind)) return "texture_load";
  if (kind == kBarrier) return "barrier";
  if (kind == kMatrix) return "matrix_product";
  if (kind & kMeeting) return "warp_sync";
  static const char* const kSpaces[] = {"global", "shared", "local", "constant"};
  const std::string space = kSpaces[static_cast<int>(space_of(kind))];
  switch (operation_of(kind)) {
    case Operation::kLoad:
      return space + "_load";
    case Operation::kStore:
      return space + "_store";
    default:
      return "atomic_" + space;
  }
}

// A line of the student's source and a kind of access, summed over all instructions of the line.
struct Line {
  std::string file;
  int line = 0;
  std::string access;
  Site sum{};
};

struct Place {
  std::string file;
  int line = 0;
  bool operator<(const Place& other) const {
    return std::tie(file, line) < std::tie(other.file, other.line);
  }
};

// Returns the innermost line of the source at each return address.
std::vector<Place> places_of(const std::vector<uint32_t>& codes) {
  std::vector<const void*> addresses;
  // Uses the address of the call itself; the return address may belong to another line.
  for (const uint32_t code : codes)
    addresses.push_back(reinterpret_cast<const void*>(code_base() + code - 1));
  std::vector<Place> places;
  for (const auto& found : source_lines(addresses)) {
    Place place;
    if (!found.empty()) {
      const size_t colon = found.front().rfind(':');
      place = {found.front().substr(0, colon), atoi(found.front().c_str() + colon + 1)};
    }
    places.push_back(place);
  }
  return places;
}

std::vector<Line> merge_lines(const Kernel& kernel) {
  std::vector<uint32_t> codes;
  for (const Site& site : kernel.sites)
    codes.push_back(site.code);
  const std::vector<Place> places = places_of(codes);
  std::map<std::tuple<std::string, int, std::string>, Line> merged;
  for (size_t i = 0; i < kernel.sites.size(); ++i) {
    const Site& site = kernel.sites[i];
    const auto& [file, line] = places[i];
    const std::string access = access_name(site.kind);
    Line& entry = merged[{file, line, access}];
    entry.file = file;
    entry.line = line;
    entry.access = access;
    entry.sum.add(site);
  }
  std::vector<Line> lines;
  for (auto& [key, line] : merged)
    lines.push_back(std::move(line));
  return lines;
}

// The events of a kind other than accesses, by line.
using LineCosts = std::map<Place, uint64_t>;

LineCosts special_functions_of(const Kernel& kernel) {
  LineCosts costs;
  for (const SpecialLine& one : special_lines()) {
    const auto runs = kernel.special_blocks.find(one.code);
    if (runs == kernel.special_blocks.end()) continue;
    costs[{without_directory(one.file), one.line}] += one.count * runs->second;
  }
  return costs;
}

LineCosts calls_of(const std::unordered_map<uint32_t, uint64_t>& counts) {
  std::vector<uint32_t> codes;
  for (const auto& [code, count] : counts)
    codes.push_back(code);
  const std::vector<Place> places = places_of(codes);
  LineCosts costs;
  for (size_t i = 0; i < codes.size(); ++i)
    costs[places[i]] += counts.at(codes[i]);
  return costs;
}

// Only of kernels with costs.
std::string costs_of(const Kernel& kernel) {
  std::string text;
  const std::pair<const char*, LineCosts> kinds[] = {{"special", special_functions_of(kernel)},
                                                     {"print", calls_of(kernel.prints_at)},
                                                     {"heap", calls_of(kernel.heap_calls_at)}};
  for (const auto& [kind, costs] : kinds) {
    for (const auto& [place, count] : costs) {
      text += (text.empty() ? ",\n   \"costs\": [" : ",") + std::string("\n      {\"file\": ") +
              quoted(place.file) + ", \"line\": " + number(uint64_t(place.line)) +
              ", \"kind\": " + quoted(kind) + ", \"count\": " + number(count) + "}";
    }
  }
  return text.empty() ? text : text + "]";
}

std::string json_of(const Example& example) {
  std::string offsets;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (lane) offsets += ", ";
    offsets += example.lanes >> lane & 1 ? number(example.offsets[lane]) : "null";
  }
  return format("{\"block\": [%u, %u, %u], \"warp\": %u, \"bytes\": %u, ", example.block.x,
                example.block.y, example.block.z, example.warp, example.bytes) +
         "\"offsets\": [" + offsets + "]}";
}

std::string json_of(const Line& line) {
  const Site& s = line.sum;
  std::string text = "{\"file\": " + quoted(line.file) +
                     ", \"line\": " + number(uint64_t(line.line)) +
                     ", \"access\": " + quoted(line.access) LINE_COUNTS(AS_JSON);
  if (s.bytes)
    text += std::string() ACCESS_COUNTS(AS_JSON) + ",\n       \"example\": " + json_of(s.example);
  return text + "}";
}

std::string triple(const dim3& d) {
  return format("[%u, %u, %u]", d.x, d.y, d.z);
}

// Only of kernels with products of matrices.
std::string products_of(const Kernel& k) {
  std::string text;
  for (unsigned unit = 0; unit < kMatrixUnits; ++unit) {
    if (!k.products[unit]) continue;
    text += (text.empty() ? ",\n   \"matrix_products\": {\"" : ", \"") +
            std::string(kMatrixUnitNames[unit]) + "\": " + number(k.products[unit]);
  }
  return text.empty() ? text : text + "}";
}

std::string json_of(const Kernel& k) {
  const InstructionCounts& i = k.instructions;
  const uint64_t exchanging = rounded(k.exchange_instructions);
  std::string text = "  {\"name\": " + quoted(k.info->name) +
                     ", \"file\": " + quoted(k.info->file) + ", \"grid\": " + triple(k.grid) +
                     ", \"block\": " + triple(k.block);
  text += std::string() KERNEL_SIZES(AS_JSON);
  text += std::string() KERNEL_COUNTS(AS_JSON) KERNEL_RECORDS(AS_JSON);
  text += ",\n   \"instructions\": {\"int\": " + number(i.integer + exchanging) +
          ", \"fp32\": " + number(i.fp32) + ", \"fp64\": " + number(i.fp64) +
          ", \"special\": " + number(i.special) + ", \"memory\": " + number(i.memory) +
          ", \"control\": " + number(i.control) + "}" + products_of(k) +
          ",\n   \"constants\": {\"passes\": " + number(k.constant_passes) +
          ", \"misses\": " + number(k.constant_misses) + "}";
  text += ",\n   \"dram_bytes\": {\"load_sectors\": " + number(k.l2.fetched) +
          ", \"store_sectors\": " + number(k.l2.written) +
          ", \"dirty_sectors_at_end\": " + number(k.dirty_at_end) +
          ", \"unique_load_bytes\": " + number(bytes_of(k.unique_load_sectors)) +
          ", \"unique_store_bytes\": " + number(bytes_of(k.unique_store_sectors)) + "}";
  text += ",\n   \"l1\": {\"load_sectors\": " + number(k.l1.requested) +
          ", \"missed_sectors\": " + number(k.l1.missed) +
          "},\n   \"schedule\": {\"slots\": " + number(k.slots) +
          ", \"clocks\": " + number(k.makespan) +
          ", \"mean_lifetime\": " + number(ratio(k.lifetimes, k.blocks)) + "},\n   \"lines\": [";
  bool first = true;
  for (const Line& line : merge_lines(k)) {
    text += (first ? "\n      " : ",\n      ") + json_of(line);
    first = false;
  }
  return text + "]" + costs_of(k) + "}";
}

class Report {
 public:
  Report(const std::deque<HostThread>& threads, const HostThread* main_thread)
      : host_(threads), main_thread_(main_thread) {}

  std::string text() {
    const auto threads = ordered_threads();
    number_kernels(threads);
    for (const HostThread* thread : threads)
      thread_numbers_.try_emplace(thread, thread_numbers_.size());
    std::string host;
    std::map<const void*, int> streams{{nullptr, 0}};
    for (const HostThread* thread : threads) {
      std::map<const void*, int> events;
      for (const HostOperation& operation : thread->operations) {
        host += (host.empty() ? "\n  " : ",\n  ") +
                json_of(operation, static_cast<int>(thread_numbers_[thread]), streams, events);
      }
    }
    std::string kernels;
    for (const Kernel* kernel : kernels_) {
      kernels += (kernels.empty() ? "\n" : ",\n") + profile::json_of(*kernel);
    }
    return format("{\"version\": 1, \"compiler\": \"g++ %d\",\n", __GNUC__) + " \"host\": [" +
           host + "],\n \"kernels\": [" + kernels + "]}\n";
  }

 private:
  // The main thread, then the other threads by what they did, and by the main thread's streams:
  // threads started in no particular order.
  std::vector<const HostThread*> ordered_threads() {
    std::vector<const HostThread*> result{main_thread_};
    std::map<const void*, int> of_main{{nullptr, 0}};
    for (const HostOperation& operation : main_thread_->operations)
      of_main.try_emplace(operation.stream, static_cast<int>(of_main.size()));
    std::vector<std::pair<std::string, const HostThread*>> others;
    for (const HostThread& thread : host_) {
      if (&thread == main_thread_ || thread.operations.empty()) continue;
      std::string text;
      std::map<const void*, int> streams = of_main, events;
      for (const HostOperation& operation : thread.operations) {
        text += json_of(operation, 0, streams, events);
      }
      others.emplace_back(text, &thread);
    }
    std::stable_sort(others.begin(), others.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [text, thread] : others)
      result.push_back(thread);
    return result;
  }

  // Numbers kernels in the order in which the host's operations name them.
  void number_kernels(const std::vector<const HostThread*>& threads) {
    for (const HostThread* thread : threads) {
      for (const HostOperation& operation : thread->operations) {
        if (operation.kernel && numbers_.try_emplace(operation.kernel, kernels_.size()).second) {
          kernels_.push_back(operation.kernel);
        }
      }
    }
  }

  std::string json_of(const HostOperation& o, int thread, std::map<const void*, int>& streams,
                      std::map<const void*, int>& events) {
    const int stream =
        streams.try_emplace(o.stream, static_cast<int>(streams.size())).first->second;
    std::string text = "{\"op\": " + quoted(o.name) + ", \"bytes\": " + number(o.bytes) +
                       ", \"pinned\": " + (o.pinned ? "true" : "false") +
                       ", \"stream\": " + std::to_string(stream) + ", \"kernel\": ";
    if (o.kernel) {
      const auto found = numbers_.find(o.kernel);
      text += found == numbers_.end() ? quoted(o.kernel->info->name) : number(found->second);
    } else {
      text += "null";
    }
    text += std::string(", \"async\": ") + (o.async ? "true" : "false") +
            ", \"thread\": " + std::to_string(thread);
    // A thread without operations has no number.
    const auto child = thread_numbers_.find(o.child);
    if (child != thread_numbers_.end()) text += ", \"child\": " + number(child->second);
    if (o.instructions) text += ", \"instructions\": " + number(o.instructions);
    if (o.event) {
      const int event = events.try_emplace(o.event, static_cast<int>(events.size())).first->second;
      text += ", \"event\": " + std::to_string(event);
    }
    const auto recorder = thread_numbers_.find(o.recorder);
    if (recorder != thread_numbers_.end())
      text += ", \"recorder\": " + number(recorder->second) + ", \"record\": " + number(o.record);
    return text + "}";
  }

  const std::deque<HostThread>& host_;
  const HostThread* main_thread_;
  std::map<const HostThread*, uint64_t> thread_numbers_;
  std::map<const Kernel*, uint64_t> numbers_;
  std::vector<const Kernel*> kernels_;
};

}  // namespace

std::string report_text(HostSide& host) {
  std::string text;
  host.read([&](const std::deque<HostThread>& threads, const HostThread* main_thread) {
    text = Report(threads, main_thread).text();
  });
  return text;
}

void write_report(HostSide& host, const char* path) {
  const std::string text = report_text(host);
  if (!path) path = getenv("CUDACPU_PROFILE");
  if (!path || !*path) path = "cudacpu-profile.json";
  FILE* file = fopen(path, "w");
  if (!file || fwrite(text.data(), 1, text.size(), file) != text.size()) {
    fprintf(stderr, "CPU device: the profile cannot be written to %s\n", path);
  }
  if (file) fclose(file);
}

}  // namespace cudacpu::profile
