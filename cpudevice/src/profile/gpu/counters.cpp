#include "profile/gpu/counters.h"

#include "cudacpu/device/matrix/matrix.h"

#include <tuple>

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

// The launches of an entry have the same number of bits.
int bits_of(uint64_t quarters) {
  return quarters ? 64 - __builtin_clzll(quarters) : 0;
}

bool same(const dim3& a, const dim3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// What is summed over requests, over instructions, and over launches.
constexpr uint64_t Site::*kSiteSums[] = {
    &Site::requests,         &Site::lanes,         &Site::bytes,
    &Site::sectors,          &Site::ideal_sectors, &Site::lines,
    &Site::first_lines,      &Site::lookups,       &Site::wavefronts,
    &Site::ideal_wavefronts, &Site::same_address};
constexpr uint64_t InstructionCounts::*kInstructionSums[] = {
    &InstructionCounts::quarters,      &InstructionCounts::integer,
    &InstructionCounts::fp32,          &InstructionCounts::fp64,
    &InstructionCounts::special,       &InstructionCounts::control,
    &InstructionCounts::memory,        &InstructionCounts::lane_quarters,
    &InstructionCounts::chain_quarters};
constexpr uint64_t Kernel::*kKernelSums[] = {&Kernel::launches,
                                             &Kernel::blocks,
                                             &Kernel::threads,
                                             &Kernel::warps,
                                             &Kernel::lifetimes,
                                             &Kernel::slowest_phases,
                                             &Kernel::barriers,
                                             &Kernel::warp_syncs,
                                             &Kernel::shuffle_clocks,
                                             &Kernel::constant_passes,
                                             &Kernel::constant_misses,
                                             &Kernel::prints,
                                             &Kernel::heap_calls,
                                             &Kernel::parted_sectors,
                                             &Kernel::waiting_blocks,
                                             &Kernel::slept_ns,
                                             &Kernel::link_load_sectors,
                                             &Kernel::link_store_sectors,
                                             &Kernel::unique_load_sectors,
                                             &Kernel::unique_store_sectors,
                                             &Kernel::dirty_at_end,
                                             &Kernel::hottest_atomics,
                                             &Kernel::local_bytes,
                                             &Kernel::makespan};

}  // namespace

void Site::add(const Site& other) {
  for (const auto counter : kSiteSums)
    this->*counter += other.*counter;
  // The worst request of all; among equals, the first.
  const auto order = [](const Example& e) {
    return std::make_tuple(-e.cost, e.launch, e.block.z, e.block.y, e.block.x, e.warp, e.offsets);
  };
  const Example& theirs = other.example;
  if (theirs.cost > 0 && (example.cost == 0 || order(theirs) < order(example))) example = theirs;
}

void InstructionCounts::add(const InstructionCounts& other) {
  for (const auto counter : kInstructionSums)
    this->*counter += other.*counter;
}

bool Kernel::is_alike(const Kernel& launch) const {
  return info == launch.info && same(grid, launch.grid) && same(block, launch.block) &&
         dynamic_shared == launch.dynamic_shared &&
         bits_of(instructions.quarters / launches) ==
             bits_of(launch.instructions.quarters / launch.launches);
}

void Kernel::add(const Kernel& launch) {
  for (const auto counter : kKernelSums)
    this->*counter += launch.*counter;
  instructions.add(launch.instructions);
  l1.add(launch.l1);
  l2.add(launch.l2);
  for (int level = 0; level < kLevels; ++level)
    waits[level] += launch.waits[level];
  for (unsigned unit = 0; unit < kMatrixUnits; ++unit)
    products[unit] += launch.products[unit];
  exchange_clocks += launch.exchange_clocks;
  exchange_instructions += launch.exchange_instructions;
  for (const auto counts : {&Kernel::special_blocks, &Kernel::prints_at, &Kernel::heap_calls_at}) {
    for (const auto& [code, count] : launch.*counts)
      (this->*counts)[code] += count;
  }
  for (const Site& site : launch.sites)
    sites[site_number(site.code, site.kind)].add(site);
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
