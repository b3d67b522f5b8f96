// cudaLaunchKernel, cudaLaunchCooperativeKernel and cudaLaunchKernelEx.
// expect: done
// stderr: does not say which kernel it is
// stderr: a block of 2000 x 1 x 1 has 2000 threads
#include <cooperative_groups.h>

#include "check.h"

struct Scale {
  float factor;
  int offset;
};

template <typename T>
__global__ void scale_kernel(T* x, int n, Scale scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * scale.factor + scale.offset;
}

__global__ void meet_kernel(int* arrivals, int* seen) {
  atomicAdd(arrivals, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) atomicMin(seen, *arrivals);
}

int main() {
  float* x;
  int n = 100, *counts;
  CHECK_OK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK_OK(cudaMallocManaged(&counts, 2 * sizeof(int)));
  for (int i = 0; i < n; ++i)
    x[i] = i;
  Scale scale{2, 1};
  void* arguments[] = {&x, &n, &scale};
  CHECK_OK(
      cudaLaunchKernel((const void*)scale_kernel<float>, dim3(4), dim3(32), arguments, 0, nullptr));
  CHECK(x[0] == 1 && x[99] == 199);
  CHECK_OK(cudaLaunchKernel(scale_kernel<float>, 4, 32, arguments));
  CHECK(x[99] == 399);
  CHECK_ERROR(cudaErrorInvalidConfiguration,
              cudaLaunchKernel(scale_kernel<float>, 4, 2000, arguments));

  counts[0] = 0;
  counts[1] = 1000;
  int* seen = counts + 1;
  void* meeting[] = {&counts, &seen};
  CHECK_OK(cudaLaunchCooperativeKernel((void*)meet_kernel, 8, 64, meeting));
  CHECK(counts[0] == 512 && counts[1] == 512);

  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = 4;
  configuration.blockDim = 32;
  CHECK_OK(cudaLaunchKernelEx(&configuration, scale_kernel<float>, x, n, Scale{0, 3}));
  CHECK(x[50] == 3);
  cudaLaunchAttribute cooperative;
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  configuration.attrs = &cooperative;
  configuration.numAttrs = 1;
  CHECK_OK(cudaLaunchKernelExC(&configuration, (const void*)meet_kernel, meeting));
  CHECK(counts[0] == 640);

  // Pointers without the kernel's type.
  void* kept = (void*)scale_kernel<float>;
  const void* kernels[] = {reinterpret_cast<const void*>(&scale_kernel<float>), (void*)meet_kernel};
  x[50] = 5;
  CHECK_OK(cudaLaunchKernel(kept, 4, 32, arguments));
  CHECK_OK(cudaLaunchKernel(kernels[0], dim3(4), dim3(32), arguments, 0, nullptr));
  CHECK(x[50] == 23);
  CHECK_OK(cudaLaunchCooperativeKernel(kernels[1], 4, 32, meeting));
  CHECK(counts[0] == 768);
  int blocks;
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kept, 256, 0));
  CHECK(blocks == 8);

  const void* untyped = nullptr;
  CHECK_ERROR(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(untyped, 1, 1, arguments));
  printf("done\n");
}
