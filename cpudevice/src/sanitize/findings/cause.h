// The kinds of findings.
#pragma once

namespace cudacpu::sanitize {

enum class Cause {
  kRace,
  kBadAccess,
  kUninitialised,
  kBarrier,
  kMask,
  kLeak,
  kHostDevice,
  kMisaligned,
  kDoubleFree,
  kStack,
  kTimeout
};

}  // namespace cudacpu::sanitize
