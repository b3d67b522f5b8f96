// How many threads a block and a warp have.
#pragma once

namespace cudacpu {

constexpr unsigned kMaxBlockThreads = 1024;
constexpr unsigned kWarpSize = 32;
constexpr unsigned kMaxWarps = kMaxBlockThreads / kWarpSize;

}  // namespace cudacpu
