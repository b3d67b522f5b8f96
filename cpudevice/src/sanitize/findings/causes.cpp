#include "sanitize/findings/causes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cudacpu::sanitize {
namespace {

constexpr size_t kShownPairs = 2;  // of the other pairs of lines

// The meaning of Report::detail for a race.
enum Race : uint64_t { kWithinWarp = 1, kWithinBlock = 2, kBetweenBlocks = 3 };

std::string place_of(const Described& described) {
  return described.file + ":" + std::to_string(described.line);
}
std::string other_place_of(const Described& described) {
  return described.other_file + ":" + std::to_string(described.other_line);
}

bool is_kernel_race(const Described& described) {
  return described.cause == Cause::kRace && described.in_kernel;
}
bool is_block_race(const Described& described) {
  return is_kernel_race(described) && described.detail <= kWithinBlock;
}
// Two threads that write by the same line are more often a wrong index than a missing barrier.
bool is_one_line(const Described& described) {
  return place_of(described) == other_place_of(described);
}

bool share_line(const Described& a, const Described& b) {
  return place_of(a) == place_of(b) || place_of(a) == other_place_of(b) ||
         other_place_of(a) == place_of(b) || other_place_of(a) == other_place_of(b);
}

bool have_one_cause(const Described& a, const Described& b) {
  if (a.cause != b.cause || a.kernel != b.kernel || !a.in_kernel || !b.in_kernel) return false;
  if (is_block_race(a) && is_block_race(b)) {
    const bool alone = is_one_line(a) && is_one_line(b);  // each may have a wrong index of its own
    return (a.since == b.since && !alone) || share_line(a, b);
  }
  // A barrier in a branch, and a barrier after the branch, at which the other threads wait.
  if (a.cause == Cause::kBarrier) return share_line(a, b);
  // An event or a wait is missing between two operations.
  if (a.cause == Cause::kRace) return !a.against.empty() && a.against == b.against;
  // An unchecked index, used on several lines.
  return a.cause == Cause::kBadAccess && a.allocation_number >= 0 && b.allocation_number >= 0 &&
         a.threads == b.threads && a.block.x == b.block.x && a.block.y == b.block.y &&
         a.block.z == b.block.z;
}

// Whether `a` shows more of their common cause: a race within a block rather than within a warp,
// because a barrier that fixes the first fixes the second too; a race between two lines rather than
// at a single line.
bool says_more(const Described& a, const Described& b) {
  if (a.cause != Cause::kRace || !is_block_race(a)) return false;
  return std::make_pair(a.detail, !is_one_line(a)) > std::make_pair(b.detail, !is_one_line(b));
}

// "line 23", or with its file if different.
std::string line_text(const Described& main, const std::string& file, int line) {
  return (file == main.file ? "" : file + ":") + std::to_string(line);
}

std::string others_text(const Described& main, const std::vector<const Described*>& others) {
  if (main.cause == Cause::kBarrier) return "";  // the sentence names both lines
  std::vector<std::string> texts;
  for (const Described* other : others) {
    std::string text = line_text(main, other->file, other->line);
    if (main.cause == Cause::kRace && !is_one_line(*other)) {
      text += " and " + line_text(main, other->other_file, other->other_line);
    }
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  if (texts.empty()) return "";
  std::string list;
  for (size_t i = 0; i < std::min(texts.size(), kShownPairs); ++i)
    list += (i ? "; " : "") + texts[i];
  if (texts.size() > kShownPairs) {
    list += "; and " + std::to_string(texts.size() - kShownPairs) + " more";
  }
  return std::string("; the same holds for line") +
         (texts.size() > 1 || texts[0].find(" and ") != std::string::npos ? "s " : " ") + list;
}

// Joins the findings of one cause.
Described joined(const std::vector<Described>& group) {
  const Described* main = &group.front();
  for (const Described& described : group) {
    if (says_more(described, *main)) main = &described;
  }
  Described result = *main;
  std::vector<const Described*> others;
  std::set<std::string> places;
  result.count = 0;
  for (const Described& described : group) {
    result.count += described.count;
    if (&described != main) others.push_back(&described);
    if (!is_block_race(described)) continue;
    places.insert(place_of(described));
    places.insert(other_place_of(described));
  }
  result.places.assign(places.begin(), places.end());
  result.sentence += others_text(result, others);
  return result;
}

std::vector<Described> join_causes(const std::vector<Described>& found) {
  std::vector<size_t> group(found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    group[i] = i;
    for (size_t j = 0; j < i; ++j) {
      if (group[j] == group[i] || !have_one_cause(found[i], found[j])) continue;
      const size_t first = std::min(group[i], group[j]), second = std::max(group[i], group[j]);
      std::replace(group.begin(), group.begin() + static_cast<ptrdiff_t>(i) + 1, second, first);
    }
  }
  std::map<size_t, std::vector<Described>> groups;  // by their first finding: in the order found
  for (size_t i = 0; i < found.size(); ++i)
    groups[group[i]].push_back(found[i]);
  std::vector<Described> all;
  for (const auto& [first, members] : groups)
    all.push_back(joined(members));
  return all;
}

bool has_place(const Described& race, const std::string& place) {
  return place_of(race) == place || other_place_of(race) == place ||
         std::find(race.places.begin(), race.places.end(), place) != race.places.end();
}

// Whether a finding of `all`, in the order found, only repeats another.
bool is_repeated(const Described& described, const std::vector<Described>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Described& other) {
    if (other.kernel != described.kernel) return false;
    // Memory after the end of an array does not matter. An unwritten value that was read before the
    // bad access may have been the access's index.
    const bool is_past_end =
        other.cause == Cause::kBadAccess && place_of(other) == place_of(described);
    // An index that left its array may later reach memory of the host.
    if (described.cause == Cause::kHostDevice) return is_past_end && &other < &described;
    if (described.cause == Cause::kUninitialised && is_past_end && &other < &described) return true;
    // A barrier that only some threads reach synchronises no threads.
    const bool of_block =
        is_block_race(described) || (described.cause == Cause::kUninitialised && described.shared);
    if (other.cause == Cause::kBarrier && other.in_kernel && of_block) return true;
    // If a barrier is missing, some threads also read values that other threads have not written
    // yet.
    if (described.cause != Cause::kUninitialised || !is_kernel_race(other)) return false;
    const bool unordered = described.shared && other.shared && !is_one_line(other);
    return unordered || has_place(other, place_of(described));
  });
}

// Whether threads of the kernel are not synchronised, so that they may read any value. A race at a
// wrong index does not count: the index is the cause of both findings.
bool leaves_values_open(const Described& cause, const Described& bad) {
  if (cause.kernel != bad.kernel || !cause.in_kernel) return false;
  if (cause.cause == Cause::kBarrier || cause.cause == Cause::kMask) return true;
  if (cause.cause != Cause::kRace || is_one_line(cause)) return false;
  const bool same_memory =
      cause.shared == bad.shared && cause.allocation_number == bad.allocation_number;
  return cause.places.size() > 2 || !same_memory || !has_place(cause, place_of(bad));
}

// An unwritten value that was read earlier may have been the index.
bool is_earlier_read(const Described& read, const Described& bad) {
  return read.cause == Cause::kUninitialised && read.kernel == bad.kernel &&
         place_of(read) != place_of(bad);
}

// The rank of a finding within its kernel.
enum Rank {
  kEnds,
  kIndex,
  kInStep,
  kRaces,
  kFollows,
  kUnwritten,
  kFollowsUnwritten,
  kHangs,
  kLeaks
};

Rank rank_of(const std::vector<Described>& all, size_t i) {
  const Described& described = all[i];
  switch (described.cause) {
    case Cause::kBarrier:
    case Cause::kMask:
      return kInStep;
    case Cause::kRace:
      return kRaces;
    case Cause::kUninitialised:
      return kUnwritten;
    case Cause::kLeak:
      return kLeaks;
    case Cause::kTimeout:
      return kHangs;
    case Cause::kBadAccess:
      break;
    case Cause::kHostDevice:  // a kernel's index may be as wild as a pointer
      if (described.in_kernel) break;
      return kEnds;
    default:
      return kEnds;
  }
  for (const Described& other : all) {
    if (leaves_values_open(other, described)) return kFollows;
  }
  for (size_t j = 0; j < i; ++j) {
    if (is_earlier_read(all[j], described)) return kFollowsUnwritten;
  }
  return kIndex;
}

// "; this may follow from the race at a.cu:7: fix that first".
std::string follows_text(const Described& described, const Described& cause) {
  const std::string kind = cause.cause == Cause::kUninitialised ? "uninitialised read" : cause.kind;
  const std::string where = cause.file.empty() ? "" : " at " + place_of(cause);
  return described.sentence + "; this may follow from the " + kind + where + ": fix that first";
}

}  // namespace

std::vector<Described> in_order_of_cause(std::vector<Described> found) {
  const std::vector<Described> joined_all = join_causes(found);
  std::vector<Described> all;
  std::copy_if(joined_all.begin(), joined_all.end(), std::back_inserter(all),
               [&](const Described& described) { return !is_repeated(described, joined_all); });
  // Sorts by kernel, in the order of their first findings; a finding about the host stands alone.
  std::map<std::string, size_t> first_of_kernel;
  std::vector<std::pair<std::pair<size_t, Rank>, size_t>> order;
  for (size_t i = 0; i < all.size(); ++i) {
    const size_t first =
        all[i].in_kernel ? first_of_kernel.emplace(all[i].kernel, i).first->second : i;
    const Rank rank = rank_of(all, i);
    order.push_back({{rank == kLeaks ? all.size() : first, rank}, i});
  }
  std::sort(order.begin(), order.end());
  std::vector<Described> ordered;
  for (const auto& [key, i] : order) {
    Described described = all[i];
    if (key.second == kFollows || key.second == kFollowsUnwritten) {
      const auto cause =
          std::find_if(ordered.begin(), ordered.end(), [&](const Described& earlier) {
            return leaves_values_open(earlier, described) || is_earlier_read(earlier, described);
          });
      if (cause != ordered.end()) described.sentence = follows_text(described, *cause);
    }
    ordered.push_back(std::move(described));
  }
  return ordered;
}

}  // namespace cudacpu::sanitize
