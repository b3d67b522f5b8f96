// The virtual clock: how long things take on a multiprocessor, in clocks. It decides in which order
// blocks reach atomics that hand out work, and tells how unevenly they are loaded; the times of the
// model are computed from the counters (cpudevice/model). Fitted to an H200, see
// docs/cpu-device.md.
#pragma once

#include <cstdint>

namespace cudacpu::profile {

constexpr unsigned kClocksPerBlock = 150;
constexpr unsigned kClocksPerLoadPhase = 900;
constexpr unsigned kClocksPerBarrier = 400;
constexpr unsigned kClocksPerWarpSync = 25;
constexpr unsigned kClocksPerInstruction = 4;
// How long a multiprocessor is busy with one of a warp: 32 lanes per clock, and 16, by the table of
// throughputs in the CUDA programming guide.
constexpr unsigned kClocksPerShuffle = 1;
constexpr unsigned kClocksPerReduction = 2;
// The least that a thread sleeps, however little it asks for: measured on an H200, 100 to 160 ns.
constexpr uint64_t kLeastSleepNs = 100;
constexpr uint64_t kClocksPerNs = 2;
// Until a warp can issue the next product of matrices behind one.
constexpr unsigned kClocksPerProduct = 8;
// How many iterations of a loop have their loads under way at a time, once unrolled.
constexpr unsigned kOverlappingLoads = 8;

}  // namespace cudacpu::profile
