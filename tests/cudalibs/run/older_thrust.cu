// What the Thrust of toolkits up to 12 has and Thrust of 13 lacks: courses' programs use the names.
// expect: done
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/system/cuda/experimental/pinned_allocator.h>
#include <thrust/tuple.h>

#include "../../cpudevice/run/check.h"

int main() {
  thrust::host_vector<float, thrust::cuda::experimental::pinned_allocator<float>> pinned(4, 2.5f);
  const thrust::device_vector<double> doubles = pinned;
  cudaPointerAttributes attributes;
  CHECK_OK(cudaPointerGetAttributes(&attributes, pinned.data()));
  CHECK(attributes.type == cudaMemoryTypeHost && doubles[3] == 2.5);

  int a = 3;
  thrust::tie(a, thrust::ignore) = thrust::make_tuple(a + 1, 7.0f);
  CHECK(a == 4);
  puts("done");
}
