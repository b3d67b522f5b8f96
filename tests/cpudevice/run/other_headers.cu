// Headers beside cuda_runtime.h, with the contents of CUDA's headers.
// expect: done
#include <cudaProfiler.h>
#include <device_types.h>
#include <driver_functions.h>
#include <host_config.h>

#include "check.h"

int main() {
  const cudaPitchedPtr pitched = make_cudaPitchedPtr(nullptr, 512, 100, 3);
  const cudaExtent extent = make_cudaExtent(4, 5, 6);
  CHECK(pitched.pitch == 512 && pitched.ysize == 3 && extent.depth == 6);
  CHECK(make_cudaPos(1, 2, 3).y == 2);
  CHECK(cudaRoundMinInf == 3);
  CHECK(cuProfilerStart() == CUDA_SUCCESS && cuProfilerStop() == CUDA_SUCCESS);
  puts("done");
}
