#include "profile/replay/accesses.h"

#include <algorithm>
#include <cstdint>

#include "profile/gpu/clocks.h"
#include "profile/trace/places.h"

namespace cudacpu::profile {

void Accesses::execute(Event event, Request& request) {
  const uint8_t kind = kind_of(event);
  request.bytes = bytes_of(kind);
  if (is_texture(kind)) list_texels(kind, &request, &texels_);
  request.find_stride();
  const uint32_t number = kernel_.site_number(code_of(event), kind);
  Site& site = kernel_.sites[number];
  const int lanes = request.lane_count;
  ++site.requests;
  site.lanes += lanes;
  site.bytes += uint64_t{request.bytes} * lanes;
  const bool asynchronous = is_asynchronous(kind);
  // All lanes use the same element of an array: typical of arrays that a function gets by address.
  // nvcc inlines the function and unrolls its loops, and then the array is in registers. Of 29
  // kernels with such accesses an H200 has local memory in one.
  const bool in_register =
      !is_texture(kind) && space_of(kind) == Space::kLocal && is_uniform(request);
  if (!asynchronous && !in_register) {
    warp_.issue(&kernel_.instructions, 4, lanes);
    ++kernel_.instructions.memory;
  }
  int cost = 0;
  if (operation_of(kind) == Operation::kLoad) {
    warp_.phases.from_global = is_texture(kind) || space_of(kind) == Space::kGlobal;
  }
  if (is_texture(kind)) {
    cost = access_texture(site, number, request);
    if (cost > site.example.cost) remember(site, request, cost);
    return;
  }
  switch (space_of(kind)) {
    case Space::kGlobal:
      cost = access_global(site, number, request);
      break;
    case Space::kShared:
      cost = access_shared(site, request);
      break;
    case Space::kLocal:
      cost = access_local(site, request, in_register);
      break;
    case Space::kConstant:
      cost = access_constant(site, request);
      break;
  }
  if (operation_of(kind) == Operation::kAtomic) {
    site.same_address += same_address_lanes(request);
  }
  if (asynchronous) {
    if (space_of(kind) == Space::kShared) warp_.copy();
  } else if (operation_of(kind) == Operation::kStore && space_of(kind) == Space::kShared) {
    warp_.phases.stored = true;
  } else if (operation_of(kind) != Operation::kLoad && !in_register) {
    warp_.consume();
  }
  if (cost > site.example.cost) remember(site, request, cost);
}

int Accesses::access_global(Site& site, uint32_t number, const Request& request) {
  const Operation operation = operation_of(site.kind);
  const bool on_host = is_on_host(request.address[request.first_lane()]);
  const bool may_part = operation == Operation::kStore && !on_host;
  if (may_part) execution_.parted->prefetch(request);
  list_lines(request, &lines_);
  const int sectors = lines_.sectors();
  site.sectors += sectors;
  // Updates of the same address are combined: the lanes' bytes do not need separate places.
  site.ideal_sectors += operation == Operation::kAtomic ? std::min(ideal_sectors(request), sectors)
                                                        : ideal_sectors(request);
  site.lines += lines_.count;
  site.first_lines += std::min<uint64_t>(lines_.count, kFirstLines);
  site.lookups += lines_.lookups();
  find_in_l2(operation == Operation::kLoad ? *execution_.loaded : *execution_.stored);
  if (may_part) {
    kernel_.parted_sectors += execution_.parted->store(request, execution_.begun, *execution_.l2);
  }
  if (operation != Operation::kLoad) {
    write_to_l2(operation, on_host);
    if (operation == Operation::kAtomic) count_atomics(request);
    return sectors;
  }
  const Level furthest = read_through_caches(on_host);
  // The rest of a bulk copy belongs to the phase of the copy's first access.
  if (is_asynchronous(site.kind)) {
    warp_.phases.furthest = std::max(warp_.phases.furthest, furthest);
  } else {
    warp_.load(number, request, furthest);
  }
  return sectors;
}

bool Accesses::is_on_host(uint64_t place) const {
  for (const auto& [begin, end] : *execution_.on_host) {
    if (place < end) return place >= begin;
  }
  return false;
}

// Finds the places of all lines in the L2 cache, and prefetches their entries in `touched`.
void Accesses::find_in_l2(TouchedSectors& touched) {
  const Cache& l2 = *execution_.l2;
  for (int i = 0; i < lines_.count; ++i) {
    in_l2_[i] = l2.place_of(lines_.parts[i].line);
    l2.prefetch(in_l2_[i]);
    touched.prefetch(lines_.parts[i].line);
  }
}

// Returns the level at which the load finds the last of its data.
Level Accesses::read_through_caches(bool on_host) {
  Level furthest = kL1;
  for (int i = 0; i < lines_.count; ++i)
    furthest = std::max(furthest, read_line(lines_.parts[i], in_l2_[i], on_host));
  return furthest;
}

// While another warp still waits for the line, the load finds the line at the level of the other
// warp's load.
inline __attribute__((always_inline)) Level Accesses::read_line(LinePart part, Cache::Place in_l2,
                                                                bool on_host) {
  kernel_.unique_load_sectors += execution_.loaded->add(part);
  Cache& l1 = *execution_.l1;
  part.sectors = l1.read(part, l1.place_of(part.line), &kernel_.l1);
  if (part.sectors == 0) {
    const Cache::Note note = l1.note();
    return warp_.clock < note.clock + kClocksPerLoadPhase ? static_cast<Level>(note.level) : kL1;
  }
  Level level = kMemory;
  if (on_host) {
    kernel_.link_load_sectors += sector_count(part.sectors);
  } else if (execution_.l2->read(part, in_l2, &kernel_.l2) == 0) {
    level = kL2;
  }
  l1.set_note({warp_.clock, level});
  return level;
}

void Accesses::write_to_l2(Operation operation, bool on_host) {
  for (int i = 0; i < lines_.count; ++i) {
    const LinePart part = lines_.parts[i];
    kernel_.unique_store_sectors += execution_.stored->add(part);
    if (on_host) {
      kernel_.link_store_sectors += sector_count(part.sectors);
      continue;
    }
    // The L2 cache must hold a sector that an atomic operation changes.
    if (operation == Operation::kAtomic) execution_.l2->read(part, in_l2_[i], &kernel_.l2);
    execution_.l2->write(part, in_l2_[i], &kernel_.l2);
  }
}

int Accesses::access_texture(Site& site, uint32_t number, const Request& request) {
  list_lines_of(texels_.places, &lines_);
  const int sectors = lines_.sectors();
  site.sectors += sectors;
  site.ideal_sectors += ideal_sectors(request);
  site.lines += lines_.count;
  site.wavefronts += texels_.passes;
  site.ideal_wavefronts += texels_.passes;
  warp_.clock += texels_.passes;
  find_in_l2(*execution_.loaded);
  Level furthest = kL1;
  for (int i = 0; i < lines_.count; ++i) {
    const bool on_host = is_on_host(lines_.parts[i].line * kLineBytes);
    furthest = std::max(furthest, read_line(lines_.parts[i], in_l2_[i], on_host));
  }
  warp_.load(number, request, furthest);
  return sectors;
}

int Accesses::access_shared(Site& site, const Request& request) {
  const Wavefronts wavefronts = count_wavefronts(request);
  site.wavefronts += wavefronts.actual;
  site.ideal_wavefronts += wavefronts.ideal;
  warp_.clock += wavefronts.actual;
  return wavefronts.actual;
}

// Word w of lane l of a warp's local memory lies at 4 * (32 w + l): lanes that use the same
// variable share lines.
int Accesses::access_local(Site& site, Request& request, bool in_register) {
  Request words = request;
  for (uint32_t rest = request.lanes; rest; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const uint64_t offset = request.address[lane];
    words.address[lane] = offset / 4 * kLineBytes + 4 * lane + offset % 4;
  }
  words.bytes = std::min(request.bytes, 4u);
  words.find_stride();
  int sectors = 0;
  uint64_t lines = 0;
  for (unsigned done = 0; done < request.bytes; done += words.bytes) {
    list_lines(words, &lines_);
    sectors += lines_.sectors();
    lines += lines_.count;
    for (uint64_t& address : words.address)
      address += kLineBytes;
  }
  if (!in_register) {
    site.lines += lines;
    site.first_lines += std::min(lines, kFirstLines);
  }
  site.sectors += sectors;
  site.ideal_sectors += ideal_sectors(request);
  kernel_.local_bytes += uint64_t{kSectorBytes} * sectors;
  return sectors;
}

// A request takes a pass per different address, and a longer pass for each address missing in the
// cache.
int Accesses::access_constant(Site& site, const Request& request) {
  uint64_t places[kLanes];
  int passes = 0;
  for (uint32_t rest = request.lanes; rest; rest &= rest - 1) {
    const uint64_t place = request.address[__builtin_ctz(rest)];
    if (std::find(places, places + passes, place) == places + passes) places[passes++] = place;
  }
  kernel_.constant_passes += passes;
  Traffic traffic;
  Cache& cache = *execution_.constants;
  for (int i = 0; i < passes; ++i) {
    const uint32_t sector = 1u << places[i] / kSectorBytes % 4;
    const LinePart part{places[i] / kLineBytes, sector};
    if (cache.read(part, cache.place_of(part.line), &traffic)) ++kernel_.constant_misses;
  }
  site.wavefronts += passes;
  site.ideal_wavefronts += 1;
  warp_.clock += passes;
  return passes;
}

void Accesses::count_atomics(const Request& request) {
  auto& atomics = *execution_.atomics;
  // If all lanes use the same address, the compiler lets a single lane do the work for all.
  const bool uniform = is_uniform(request);
  for (uint32_t rest = request.lanes; rest; rest &= rest - 1) {
    ++atomics[request.address[__builtin_ctz(rest)]];
    if (uniform) break;
  }
}

void Accesses::remember(Site& site, const Request& request, int cost) {
  Example& example = site.example;
  example.cost = cost;
  example.launch = execution_.launch;
  example.block = execution_.block;
  example.warp = execution_.warp;
  example.bytes = request.bytes;
  example.lanes = request.lanes;
  const bool global = space_of(site.kind) == Space::kGlobal || is_texture(site.kind);
  const uint64_t base = global ? allocation_base(request.address[request.first_lane()]) : 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (request.lanes >> lane & 1) example.offsets[lane] = request.address[lane] - base;
  }
}

}  // namespace cudacpu::profile
