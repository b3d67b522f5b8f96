// Library peer of saxpy_host: what a program with Thrust's vectors does.
//
//   build/gpu/saxpy/grading/peers/saxpy_host --n 67108864 --repeats 5
#include "saxpy.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/transform.h>

#include "peers.h"

const std::vector<std::string> kPeers = {"thrust_vectors"};

namespace {

struct Saxpy {
  float scale;
  __host__ __device__ float operator()(float x, float y) const { return scale * x + y; }
};

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  const thrust::device_vector<float> d_x(x, x + n);
  const thrust::device_vector<float> d_y(y, y + n);
  thrust::device_vector<float> d_result(n);
  thrust::transform(d_x.begin(), d_x.end(), d_y.begin(), d_result.begin(), Saxpy{scale});
  thrust::copy(d_result.begin(), d_result.end(), result);
}
