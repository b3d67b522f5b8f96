// For cheats that write where they were not asked to.
#pragma once

#include <cstdio>
#include <cstring>

// Has the C library write `text` to every descriptor there is, from its start.
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
