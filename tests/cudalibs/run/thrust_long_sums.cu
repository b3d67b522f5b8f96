// Thrust and CUB: sums of millions of floats, where a running sum would stop at 2^24
// expect: done
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>
#include <cub/cub.cuh>

#include "../../cpudevice/run/check.h"

constexpr int kSize = (1 << 24) + (1 << 22) + 2;  // exact in a float

// Joins consecutive intervals: an associative operation, but the order counts.
struct Interval {
  int begin, end;
};
struct Join {
  __host__ __device__ Interval operator()(Interval a, Interval b) const {
    if (a.end != b.begin) return {-1, -1};
    return {a.begin, b.end};
  }
};
struct OfIndex {
  __host__ __device__ Interval operator()(int i) const { return {i, i + 1}; }
};

int main() {
  const thrust::device_vector<float> ones(kSize, 1.f);
  CHECK(thrust::reduce(ones.begin(), ones.end()) == kSize);
  CHECK(thrust::transform_reduce(ones.begin(), ones.end(), thrust::negate<float>(), 0.f,
                                 thrust::plus<float>()) == -kSize);
  CHECK(thrust::inner_product(ones.begin(), ones.end(), ones.begin(), 0.f) == kSize);
  thrust::device_vector<float> sum(1);
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, ones.begin(), sum.begin(), kSize);
  thrust::device_vector<char> memory(bytes + 1);
  cub::DeviceReduce::Sum(memory.data().get(), bytes, ones.begin(), sum.begin(), kSize);
  CHECK(sum[0] == kSize);
  for (const int n : {0, 1, 256, 257, 1000, 100000}) {
    const auto first = thrust::make_counting_iterator(0);
    const auto all = thrust::transform_reduce(thrust::device, first, first + n, OfIndex(),
                                              Interval{0, 0}, Join());
    CHECK(all.begin == 0 && all.end == n);
  }
  puts("done");
}
