// verdict: cpu=crash gpu=crash
// from: saxpy.h
// Follows a null pointer on the host.
#include "saxpy.h"

void saxpy_host(int n, float, const float*, const float*, float*) {
  volatile float* nowhere = nullptr;
  for (int i = 0; i < n; ++i)
    nowhere[i] = 0;
}
