// Thrust's names for CUDA alone: memory, vectors and errors; and an iterator with all its types.
// expect: done
#include <thrust/detail/config.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/device_reference.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system/cuda/memory.h>
#include <thrust/system/cuda/vector.h>
#include <thrust/system_error.h>

#include <string>

#include "../../cpudevice/run/check.h"

struct Halved {
  __host__ __device__ double operator()(int x) const { return x / 2.; }
};

void check_memory() {
  const thrust::cuda::pointer<int> numbers = thrust::cuda::malloc<int>(5);
  thrust::fill(thrust::device, numbers, numbers + 5, 3);
  CHECK(thrust::reduce(thrust::device, numbers, numbers + 5) == 15);
  CHECK(numbers[4] == 3);
  thrust::cuda::free(numbers);
  thrust::cuda::vector<float> floats(3, 1.5f);
  floats[1] = 2;
  CHECK(thrust::reduce(floats.begin(), floats.end()) == 5);
  thrust::device_vector<int> counts(2, 7);
  const thrust::device_reference<int> last = counts[1];
  CHECK(last == 7);
}

void check_errors() {
  try {
    throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "here");
  } catch (const thrust::system_error& error) {
    CHECK(error.code().value() == cudaErrorInvalidValue);
    const std::string text = error.what();
    CHECK(text.find("here") == 0 && text.find("invalid argument") != std::string::npos);
  }
  CHECK(std::string(thrust::system::cuda_category().name()) == "cuda");
}

void check_iterators() {
  using Numbers = thrust::counting_iterator<int>;
  const thrust::transform_iterator<Halved, Numbers, double> halves(Numbers(1), Halved());
  CHECK(halves[2] == 1.5 && thrust::reduce(halves, halves + 4) == 5);
  const thrust::transform_iterator<Halved, Numbers, double, double> others(Numbers(4));
  CHECK(*others == 2);
  using Ints = thrust::transform_iterator<Halved, Numbers, thrust::use_default, int>;
  const thrust::constant_iterator<float, int> same(2.5f);
  const thrust::counting_iterator<long, thrust::use_default, thrust::use_default, int> from(4);
  CHECK(same[3] == 2.5f && *(same + 7) == 2.5f && from[2] == 6);
  static_assert(std::is_same<Ints::value_type, int>::value, "as the program says");
}

int main() {
  check_memory();
  check_errors();
  check_iterators();
  puts("done");
}
