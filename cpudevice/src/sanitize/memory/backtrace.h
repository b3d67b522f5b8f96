// Where the program calls the API from, for reports.
#pragma once

namespace cudacpu::sanitize {

constexpr int kMostFrames = 20;
struct Backtrace {
  const void* frame[kMostFrames] = {};  // return addresses, innermost first
  int count = 0;
};
// Of the calling OS thread.
Backtrace backtrace_here();

}  // namespace cudacpu::sanitize
