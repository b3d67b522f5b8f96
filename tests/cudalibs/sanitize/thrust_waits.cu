// Thrust's algorithms return when they have ended, so the host may read the results; algorithms
// of par_nosync do not.
// finding: race @a
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>

#include "../../cpudevice/sanitize/launch.h"

int main() {
  constexpr int kCount = 100;
  int *pinned, *managed;
  cudaMallocHost(&pinned, kCount * sizeof(int));
  cudaMallocManaged(&managed, kCount * sizeof(int));
  int sum = 0;
  {
    const thrust::device_vector<int> on_device(kCount, 1);
    thrust::copy(on_device.begin(), on_device.end(), pinned);
    sum += pinned[kCount - 1];
    thrust::fill(thrust::device, managed, managed + kCount, 2);
    sum += managed[0];
    thrust::fill(thrust::cuda::par_nosync, managed, managed + kCount, 3);
    cudaStreamSynchronize(nullptr);
    sum += managed[1];
    thrust::fill(thrust::cuda::par_nosync, managed, managed + kCount, 4);
    sum += managed[2];  // @a
    cudaStreamSynchronize(nullptr);
  }
  cudaFreeHost(pinned);
  cudaFree(managed);
  return sum != 10;
}
