// The virtual clock: how long things take on a multiprocessor, in clocks. It decides in which order
// blocks reach atomics that hand out work, and tells how unevenly they are loaded; the times of the
// model are computed from the counters (cpudevice/model). Fitted to an H200, see
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
// Of instructions that do not wait for one another, a warp that is alone issues so many in that
// time.
constexpr unsigned kIndependentInstructions = 3;
// How long a multiprocessor is busy with such an instruction of a warp: 32 lanes per clock, or 16,
// by the table of throughputs in the CUDA programming guide.
constexpr unsigned kClocksPerShuffle = 1;
constexpr unsigned kClocksPerReduction = 2;
// The shortest time that a thread sleeps, whatever time it asks for: measured on an H200, 100 to
// 160 ns.
constexpr uint64_t kLeastSleepNs = 100;
constexpr uint64_t kClocksPerNs = 2;
// The clocks until a warp can issue the next product of matrices after one.
constexpr unsigned kClocksPerProduct = 8;
// How many iterations of an unrolled loop have pending loads at the same time.
constexpr unsigned kOverlappingLoads = 8;
// The same where each round stores what it has loaded into shared memory: nvcc unrolls the loop,
// and moves the loads of these rounds before their stores.
constexpr unsigned kLoadsBeforeStores = 4;

}  // namespace cudacpu::profile
