// verdict: cpu=crash gpu=crash
// from: saxpy.h
// Ends the program with a successful exit status instead of computing.
#include "saxpy.h"

#include <cstdlib>

void saxpy(int, float, const float*, const float*, float*) {
  std::exit(0);
}
