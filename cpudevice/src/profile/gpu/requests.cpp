#include "profile/gpu/requests.h"

namespace cudacpu::profile {
namespace {

// A set of up to 64 numbers, by open addressing: cheap to clear, no allocation.
class SmallSet {
 public:
  // Returns how many other numbers were inserted before `value`, and whether `value` was known.
  int insert(uint64_t value, bool* known) {
    unsigned slot = static_cast<unsigned>(value * 0x9E3779B97F4A7C15u >> 57);
    for (; slots_[slot]; slot = (slot + 1) % kSlots) {
      if (values_[slots_[slot] - 1] != value) continue;
      *known = true;
      return slots_[slot] - 1;
    }
    values_[size_] = value;
    slots_[slot] = static_cast<uint8_t>(size_ + 1);
    *known = false;
    return size_++;
  }
  int size() const { return size_; }

 private:
  static constexpr unsigned kSlots = 128;
  uint8_t slots_[kSlots] = {};  // the number's index in values_, plus one; 0: empty
  uint64_t values_[kSlots / 2];
  int size_ = 0;
};

void list_range(uint64_t begin, uint64_t end, LineList* list) {
  const uint64_t last = (end - 1) / kSectorBytes;
  for (uint64_t sector = begin / kSectorBytes; sector <= last;) {
    const uint64_t line = sector / 4;
    uint32_t sectors = 0;
    for (; sector <= last && sector / 4 == line; ++sector)
      sectors |= 1u << sector % 4;
    list->parts[list->count++] = {line, sectors};
  }
}

// Returns the wavefronts of the lanes in `lanes`, which are served together.
int passes(const Request& request, uint32_t lanes) {
  int most = 0;
  uint8_t per_bank[kBanks] = {};
  SmallSet words;
  const uint64_t words_per_lane = request.bytes <= kBankBytes ? 1 : request.bytes / kBankBytes;
  for (; lanes; lanes &= lanes - 1) {
    const uint64_t first = request.address[__builtin_ctz(lanes)] / kBankBytes;
    for (uint64_t word = first; word < first + words_per_lane; ++word) {
      bool known;
      words.insert(word, &known);
      if (known) continue;
      const int count = ++per_bank[word % kBanks];
      if (count > most) most = count;
    }
  }
  return most;
}

}  // namespace

void Request::find_stride() {
  regular = false;
  if (lanes != ~0u) return;
  stride = address[1] - address[0];
  uint64_t expected = address[0], difference = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    difference |= address[lane] ^ expected;
    expected += stride;
  }
  regular = difference == 0;
}

void list_lines(const Request& request, LineList* list) {
  list->count = 0;
  if (request.regular && (request.stride == request.bytes || request.stride == 0)) {
    const unsigned bytes = request.stride == 0 ? request.bytes : kLanes * request.bytes;
    list_range(request.address[0], request.address[0] + bytes, list);
    return;
  }
  SmallSet lines;
  uint64_t last_line = ~uint64_t{0};
  int place = 0;
  const auto add = [&](uint64_t line, uint32_t sectors) {
    if (line != last_line) {
      bool known;
      place = lines.insert(line, &known);
      if (!known) list->parts[list->count++] = {line, 0};
      last_line = line;
    }
    list->parts[place].sectors |= sectors;
  };
  for (uint32_t lanes = request.lanes; lanes; lanes &= lanes - 1) {
    const uint64_t begin = request.address[__builtin_ctz(lanes)];
    const uint64_t end = begin + request.bytes - 1;
    const uint32_t from = ~0u << begin / kSectorBytes % 4;
    const uint32_t to = (2u << end / kSectorBytes % 4) - 1;
    // An aligned access lies in a single line; a misaligned access may straddle two.
    if (begin / kLineBytes == end / kLineBytes) {
      add(begin / kLineBytes, from & to);
    } else {
      add(begin / kLineBytes, from & 15);
      add(end / kLineBytes, to);
    }
  }
}

Wavefronts count_wavefronts(const Request& request) {
  if (request.bytes <= kBankBytes) {
    // Neighbouring words, or the same word for all lanes, have no conflict; nothing needs to be
    // counted.
    if (request.regular && (request.stride == kBankBytes || request.stride == 0)) return {1, 1};
    return {passes(request, request.lanes), 1};
  }
  const int group = kLanes * static_cast<int>(kBankBytes) / static_cast<int>(request.bytes);
  Wavefronts result{0, 0};
  for (int lane = 0; lane < kLanes; lane += group) {
    const uint32_t lanes = request.lanes & ((1u << group) - 1) << lane;
    if (lanes == 0) continue;
    result.actual += passes(request, lanes);
    ++result.ideal;
  }
  return result;
}

bool is_irregular(const Request& request) {
  if (request.regular) return false;
  constexpr int kRegularDistances = 4;
  uint64_t distances[kRegularDistances];
  int count = 0;
  int previous = -1;
  for (uint32_t lanes = request.lanes; lanes; lanes &= lanes - 1) {
    const int lane = __builtin_ctz(lanes);
    if (previous >= 0 && lane == previous + 1) {
      const uint64_t distance = request.address[lane] - request.address[previous];
      int i = 0;
      while (i < count && distances[i] != distance)
        ++i;
      if (i == count) {
        if (count == kRegularDistances) return true;
        distances[count++] = distance;
      }
    }
    previous = lane;
  }
  return false;
}

bool is_uniform(const Request& request) {
  if (request.regular) return request.stride == 0;
  const uint64_t first = request.address[request.first_lane()];
  uint64_t difference = 0;
  for (uint32_t lanes = request.lanes; lanes; lanes &= lanes - 1)
    difference |= request.address[__builtin_ctz(lanes)] ^ first;
  return difference == 0;
}

int same_address_lanes(const Request& request) {
  if (request.regular) return request.stride == 0 ? kLanes - 1 : 0;
  SmallSet words;
  for (uint32_t lanes = request.lanes; lanes; lanes &= lanes - 1) {
    bool known;
    words.insert(request.address[__builtin_ctz(lanes)], &known);
  }
  return request.lane_count - words.size();
}

}  // namespace cudacpu::profile
