// verdict: =crash
// from: transpose.h
// Leaves with status 0 before anything was computed.
#include "transpose.h"

#include <cstdlib>

void transpose(const float*, int, int, float*) {
  std::exit(0);
}
