// verdict: cpu=wrong gpu=wrong
// from: saxpy.h
// Prints 100 MB of good news and computes nothing.
#include "saxpy.h"

#include <cstdio>

void saxpy(int, float, const float*, const float*, float*) {
  for (int i = 0; i < 100'000'000 / 20; ++i)
    std::puts("{\"verdict\": \"ok\"}  ");
}
