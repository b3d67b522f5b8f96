// The number of threads of a block and of a warp.
#pragma once

namespace cudacpu {

constexpr unsigned kMaxBlockThreads = 1024;
constexpr unsigned kWarpSize = 32;
constexpr unsigned kMaxWarps = kMaxBlockThreads / kWarpSize;

}  // namespace cudacpu
