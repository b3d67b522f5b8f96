// The counters of a profile: the name of each in the JSON text, and its value.
//
// report.cpp writes a field for each entry, and cpudevice/model/profile.py takes the names of the
// fields from this file. README.md explains each field.
#pragma once

// Of a kernel `k`, the same for all its launches, and the number of the launches.
#define KERNEL_SIZES(FIELD)                   \
  FIELD(line, uint64_t(k.info->line))         \
  FIELD(launches, k.launches)                 \
  FIELD(static_shared, k.info->static_shared) \
  FIELD(dynamic_shared, k.dynamic_shared)     \
  FIELD(registers, uint64_t{kRegisters})

// Of all launches of a kernel `k`.
#define KERNEL_COUNTS(FIELD)                                           \
  FIELD(blocks, k.blocks)                                              \
  FIELD(threads, k.threads)                                            \
  FIELD(warps, k.warps)                                                \
  FIELD(warp_instructions, (i.quarters + 2) / 4 + exchanging)          \
  FIELD(chain_instructions, (i.chain_quarters + 2) / 4 + exchanging)   \
  FIELD(active_lane_average, ratio(i.lane_quarters, i.quarters))       \
  FIELD(load_phases, ratio(k.slowest_phases, k.blocks))                \
  FIELD(waits_for_l1, ratio(k.waits[kL1], k.blocks))                   \
  FIELD(waits_for_l2, ratio(k.waits[kL2], k.blocks))                   \
  FIELD(waits_for_memory, ratio(k.waits[kMemory], k.blocks))           \
  FIELD(barriers, ratio(k.barriers, k.blocks))                         \
  FIELD(shuffle_clocks, k.shuffle_clocks + rounded(k.exchange_clocks)) \
  FIELD(prints, k.prints)                                              \
  FIELD(heap_calls, k.heap_calls)                                      \
  FIELD(sleep_ns, ratio(k.slept_ns, k.blocks))                         \
  FIELD(parted_sectors, k.parted_sectors)                              \
  FIELD(waiting_blocks, k.waiting_blocks)                              \
  FIELD(link_load_bytes, bytes_of(k.link_load_sectors))                \
  FIELD(link_store_bytes, bytes_of(k.link_store_sectors))              \
  FIELD(same_address_atomics, k.hottest_atomics)

// Counters that the tests compare and the model does not use.
#define KERNEL_RECORDS(FIELD)                         \
  FIELD(resident_blocks, uint64_t(k.resident_blocks)) \
  FIELD(warp_syncs, k.warp_syncs)                     \
  FIELD(local_bytes, k.local_bytes)

// Of a source line with the sums `s`; the second list is of lines that access memory.
#define LINE_COUNTS(FIELD)    \
  FIELD(requests, s.requests) \
  FIELD(lanes, s.lanes)
#define ACCESS_COUNTS(FIELD)                  \
  FIELD(bytes, s.bytes)                       \
  FIELD(sectors, s.sectors)                   \
  FIELD(ideal_sectors, s.ideal_sectors)       \
  FIELD(lines128, s.lines)                    \
  FIELD(first_lines128, s.first_lines)        \
  FIELD(lookups, s.lookups)                   \
  FIELD(wavefronts, s.wavefronts)             \
  FIELD(ideal_wavefronts, s.ideal_wavefronts) \
  FIELD(conflicts, s.wavefronts - s.ideal_wavefronts + s.same_address)
