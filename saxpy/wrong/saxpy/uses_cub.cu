// verdict: cpu=forbidden gpu=forbidden
// from: saxpy.h
// Leaves the work to the library.
#include "saxpy.h"

#include <cub/device/device_for.cuh>

struct SaxpyAt {
  float scale;
  const float* x;
  const float* y;
  float* result;
  __device__ void operator()(int i) { result[i] = scale * x[i] + y[i]; }
};

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  cub::DeviceFor::Bulk(n, SaxpyAt{scale, x, y, result});
}
