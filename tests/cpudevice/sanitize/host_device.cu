// Pointers of the host used on the device, and the other way round.
// finding: host_device @a
// finding: host_device @b
// finding: host_device @c
#include "launch.h"

__device__ int counter;

__global__ void kernel(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // @a
}

int main() {
  int on_host[32] = {1};
  int* out = zeros<int>(32);
  kernel<<<1, 32>>>(on_host, out);
  cudaDeviceSynchronize();
  const int first = out[0];  // @b
  int* address = &counter;
  *address = first;  // @c
  finish(out);
}
