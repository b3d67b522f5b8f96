// verdict: =ok case=2^20 cpu-speed=0..0.7 gpu-speed=0..1
// A loop on the host: the model of a GPU has no kernel to look at.
#include "saxpy.h"

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  for (int i = 0; i < n; ++i)
    result[i] = scale * x[i] + y[i];
}
