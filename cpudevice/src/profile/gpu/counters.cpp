#include "profile/gpu/counters.h"

#include "cudacpu/device/matrix/matrix.h"

#include <algorithm>
#include <map>

namespace cudacpu::profile {

unsigned matrix_unit(unsigned factors, unsigned sums) {
  switch (static_cast<Element>(factors)) {
    case Element::kHalf:
      return static_cast<Element>(sums) == Element::kHalf ? 1 : 0;
    case Element::kBfloat16:
      return 2;
    case Element::kTf32:
      return 3;
    case Element::kDouble:
      return 5;
    default:
      return 4;
  }
}
namespace {

// Sixteen buckets per power of two.
int bucket_of(uint64_t clocks) {
  if (clocks < 32) return static_cast<int>(clocks);
  const int power = 63 - __builtin_clzll(clocks);
  return power * 16 + static_cast<int>(clocks >> (power - 4) & 15);
}

uint64_t least_of(int bucket) {
  if (bucket < 32) return bucket;
  const int power = bucket / 16;
  return uint64_t{static_cast<unsigned>(16 + bucket % 16)} << (power - 4);
}

}  // namespace

void Lifetimes::add(uint64_t clocks) {
  ++buckets_[bucket_of(clocks)];
  ++count_;
  sum_ += clocks;
  least_ = std::min(least_, clocks);
  most_ = std::max(most_, clocks);
}

uint64_t Lifetimes::percentile(double part) const {
  if (count_ == 0) return 0;
  if (part <= 0) return least_;
  if (part >= 1) return most_;
  const std::map<int, uint64_t> sorted(buckets_.begin(), buckets_.end());
  uint64_t seen = 0;
  for (const auto& [bucket, count] : sorted) {
    seen += count;
    if (static_cast<double>(seen) >= part * static_cast<double>(count_)) {
      return std::clamp(least_of(bucket), least_, most_);
    }
  }
  return most_;
}

void Kernel::launch_ended(uint64_t quarters_before) {
  const uint64_t quarters = instructions.quarters - quarters_before;
  AlikeLaunches& alike = launches_by_work[quarters ? 64 - __builtin_clzll(quarters) : 0];
  ++alike.launches;
  alike.quarters += quarters;
}

uint32_t Kernel::site_number(uint32_t code, uint8_t kind) {
  const uint64_t key = uint64_t{code} << 8 | kind;
  SiteCache& cached = site_cache[(code >> 2 ^ kind) % kSiteCache];
  if (cached.key == key) return cached.number;
  const auto [place, fresh] = site_numbers.try_emplace(key, static_cast<uint32_t>(sites.size()));
  if (fresh) {
    sites.emplace_back();
    sites.back().code = code;
    sites.back().kind = kind;
  }
  cached = {key, place->second};
  return place->second;
}

}  // namespace cudacpu::profile
