// The virtual clock: how long operations take on a multiprocessor, in clocks. Decides in which
// order blocks reach atomics that hand out work, and shows how unevenly blocks are loaded; the
// model computes its times from the counters (cpudevice/model). Fitted to an H200, see
// docs/cpu-device.md.
#pragma once

#include <cstdint>

namespace cudacpu::profile {

constexpr unsigned kClocksPerBlock = 150;
constexpr unsigned kClocksPerLoadPhase = 900;
// For a load from the L1 cache, from the L2 cache, and from memory.
constexpr unsigned kClocksPerWait[] = {40, 285, 715};
constexpr unsigned kClocksPerBarrier = 400;
constexpr unsigned kClocksPerWarpSync = 25;
constexpr unsigned kClocksPerInstruction = 4;
// How many independent instructions a warp that runs alone issues in kClocksPerInstruction.
constexpr unsigned kIndependentInstructions = 3;
// How long a multiprocessor is busy with a warp's exchange instruction: 32 lanes per clock, or 16,
// by the table of throughputs in the CUDA programming guide.
constexpr unsigned kClocksPerShuffle = 1;
constexpr unsigned kClocksPerReduction = 2;
// The shortest time that a thread sleeps, however short its request: measured on an H200, 100 to
// 160 ns.
constexpr uint64_t kLeastSleepNs = 100;
constexpr uint64_t kClocksPerNs = 2;
// The clocks between two products of matrices of a warp.
constexpr unsigned kClocksPerProduct = 8;
// How many iterations of an unrolled loop have pending loads at the same time.
constexpr unsigned kOverlappingLoads = 8;
// kOverlappingLoads for a loop in which each round stores the loaded value into shared memory: nvcc
// unrolls the loop, and moves the loads of four rounds before the stores.
constexpr unsigned kLoadsBeforeStores = 4;

}  // namespace cudacpu::profile
