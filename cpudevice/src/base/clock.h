// The time, for time limits and for deciding how many blocks a worker takes at a time.
#pragma once

#include <time.h>

namespace cudacpu {

inline double now_seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace cudacpu
