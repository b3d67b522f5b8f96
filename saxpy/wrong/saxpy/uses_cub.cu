// verdict: cpu=forbidden gpu=forbidden
//
// Leaves the work to the library.
#include "saxpy.h"

#include <cub/device/device_for.cuh>

#include "cuda_check.h"

namespace {

struct SaxpyAt {
  float scale;
  const float* x;
  const float* y;
  float* result;
  __device__ void operator()(int i) { result[i] = scale * x[i] + y[i]; }
};

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  CUDA_CHECK(cub::DeviceFor::Bulk(n, SaxpyAt{scale, x, y, result}));
}
