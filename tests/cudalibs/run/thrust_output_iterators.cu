// Thrust: iterators with a change of written and of read values
// expect: done
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/iterator/tabulate_output_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>

#include <cstdio>

#include "../../cpudevice/run/check.h"

struct Negate {
  __host__ __device__ int operator()(int x) const { return -x; }
};
struct Half {
  __host__ __device__ float operator()(int x) const { return 0.5f * x; }
};
struct TwiceAsInt {
  __host__ __device__ int operator()(float x) const { return static_cast<int>(2 * x); }
};
// Writes a value to the mirrored index.
struct Mirror {
  int* out;
  __host__ __device__ void operator()(long long index, int value) const { out[7 - index] = value; }
};

int main() {
  thrust::device_vector<int> in(8), out(8);
  thrust::sequence(in.begin(), in.end());
  auto negated = thrust::make_transform_output_iterator(out.begin(), Negate());
  thrust::copy(in.begin(), in.end(), negated);
  CHECK(out[1] == -1 && out[7] == -7);
  thrust::inclusive_scan(in.begin(), in.end(), negated);
  CHECK(out[0] == 0 && out[7] == -28);
  thrust::copy(in.begin(), in.begin() + 2, negated + 4);
  CHECK(out[4] == 0 && out[5] == -1 && out[6] == -21);

  // Ints are read and written as floats of half the value.
  auto halves = thrust::make_transform_input_output_iterator(in.begin(), Half(), TwiceAsInt());
  CHECK(thrust::reduce(halves, halves + 8, 0.0f) == 14.0f);
  thrust::fill(halves, halves + 4, 10.5f);
  CHECK(in[0] == 21 && in[3] == 21 && in[4] == 4);

  int* const place = thrust::raw_pointer_cast(out.data());
  auto mirrored = thrust::make_tabulate_output_iterator(Mirror{place});
  thrust::copy(thrust::device, in.begin(), in.end(), mirrored);
  CHECK(out[7] == 21 && out[4] == 21 && out[3] == 4 && out[0] == 7);

  int host[3] = {1, 2, 3}, changed[3];
  thrust::copy(host, host + 3, thrust::make_transform_output_iterator(changed, Negate()));
  CHECK(changed[0] == -1 && changed[2] == -3);
  puts("done");
}
