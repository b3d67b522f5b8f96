// All counters, by kernel and by instruction of the student's program.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "cudacpu/runtime.h"
#include "profile/gpu/cache.h"
#include "profile/gpu/requests.h"
#include "profile/trace/event.h"

namespace cudacpu::profile {

// The worst request of an instruction for memory, which the pictures show.
struct Example {
  int cost = 0;  // sectors or wavefronts; 0: none yet
  uint64_t launch = 0;
  uint3 block{};
  unsigned warp = 0;
  unsigned bytes = 0;
  uint32_t lanes = 0;
  std::array<uint64_t, kLanes>
      offsets{};  // in the allocation, the block's shared memory or the stack
};

// The L1 cache takes a clock for each of the first kFirstLines lines of a request, and serves the
// other lines faster.
constexpr uint64_t kFirstLines = 4;

// A memory instruction, or a barrier, of a kernel.
struct Site {
  uint32_t code;  // the return address of the instrumentation's call
  uint8_t kind;   // of the event, see event.h
  uint64_t requests = 0;
  uint64_t lanes = 0;
  uint64_t bytes = 0;
  uint64_t sectors = 0;
  uint64_t ideal_sectors = 0;
  uint64_t lines = 0;
  uint64_t first_lines = 0;  // at most kFirstLines of each request
  uint64_t lookups = 0;      // steps in which the L1 cache finds the lines
  uint64_t wavefronts = 0;
  uint64_t ideal_wavefronts = 0;
  uint64_t same_address = 0;
  Example example;

  // Adds the counts of another site.
  void add(const Site& other);
};

// The rates of tensor cores differ by the type of the factors, and for halves by the type of the
// sums.
constexpr unsigned kMatrixUnits = 6;
constexpr const char* kMatrixUnitNames[kMatrixUnits] = {"fp16", "fp16_fp16", "bf16",
                                                        "tf32", "int8",      "fp64"};
unsigned matrix_unit(unsigned factors, unsigned sums);

// Where a load finds its data.
enum Level { kL1, kL2, kMemory, kLevels };

struct InstructionCounts {
  // Warp instructions, in quarters: of a loop's own instructions every fourth is counted.
  uint64_t quarters = 0;
  uint64_t integer = 0, fp32 = 0, fp64 = 0, special = 0, control = 0, memory = 0;
  // The quarters multiplied by the active lanes, for the average.
  uint64_t lane_quarters = 0;
  // The quarters for which a warp that runs alone is busy: dependent instructions follow each
  // other.
  uint64_t chain_quarters = 0;

  void add(const InstructionCounts& other);
};

// A kernel in a given configuration, over all launches that do about as much work: from a power of
// two of warp instructions to the next. A mean over launches that differ more would describe no
// launch.
struct Kernel {
  const KernelInfo* info;
  dim3 grid, block;
  size_t dynamic_shared;
  int resident_blocks;  // per multiprocessor

  uint64_t launches = 0, blocks = 0, threads = 0, warps = 0;
  InstructionCounts instructions;
  uint64_t slowest_phases = 0;  // of the slowest warp of each block, summed over blocks
  // Load phases of the warp of each block that waits longest, summed over blocks, by where the
  // slowest load of a phase finds its data: the L1 cache, the L2 cache, memory.
  uint64_t waits[kLevels] = {};
  uint64_t barriers = 0;    // summed over blocks
  uint64_t warp_syncs = 0;  // requests
  uint64_t shuffle_clocks =
      0;  // for which shuffles and reductions keep a multiprocessor's exchange
  uint64_t products[kMatrixUnits] = {};  // multiplications in products of matrices
  uint64_t constant_passes = 0;          // different addresses, summed over requests
  uint64_t constant_misses = 0;          // the passes that missed in the first cache of constants
  uint64_t prints = 0;                   // texts, of all threads
  // The additional cost of exchanges of values between lanes: clocks as in shuffle_clocks, and
  // instructions.
  double exchange_clocks = 0, exchange_instructions = 0;
  uint64_t heap_calls = 0;  // malloc, free, new and delete, of all threads
  uint64_t parted_sectors = 0;
  uint64_t waiting_blocks = 0;  // that read a variable set by another block of the launch
  uint64_t slept_ns = 0;        // by the sleepiest warp of each block, summed over blocks
  Traffic l1, l2;
  uint64_t link_load_sectors = 0, link_store_sectors = 0;  // of the host's memory
  uint64_t unique_load_sectors = 0, unique_store_sectors = 0;
  uint64_t dirty_at_end = 0;     // sectors in the L2 cache when a launch ended
  uint64_t hottest_atomics = 0;  // on the address with the most atomics, summed over launches
  uint64_t local_bytes = 0;
  uint64_t lifetimes = 0;  // of blocks, in clocks, summed over blocks
  uint64_t makespan = 0;   // clocks, summed over launches
  uint64_t slots = 0;      // blocks that the whole device holds at once
  std::deque<Site> sites;

  // How often each block with special functions ran, by its code address.
  std::unordered_map<uint32_t, uint64_t> special_blocks;
  // Printed texts, and calls of the heap, by the address to which the call returns.
  std::unordered_map<uint32_t, uint64_t> prints_at, heap_calls_at;

  // Whether a launch of the same kernel does about as much in the same configuration.
  bool is_alike(const Kernel& launch) const;
  // Adds the counts of a launch.
  void add(const Kernel& launch);
  // The number of the site in `sites`; new ones are added.
  uint32_t site_number(uint32_t code, uint8_t kind);

 private:
  static constexpr unsigned kSiteCache = 256;
  struct SiteCache {
    uint64_t key = ~uint64_t{0};
    uint32_t number = 0;
  };
  SiteCache site_cache[kSiteCache];
  std::unordered_map<uint64_t, uint32_t> site_numbers;
};

}  // namespace cudacpu::profile
