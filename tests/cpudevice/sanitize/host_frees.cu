// The host frees memory of the device by functions for host memory: the program goes on, where the
// C library would have ended the program.
// finding: host_device @a
// finding: host_device @b
// finding: host_device @c
// finding: leak @d
// finding: leak @e
// said: free of memory that is not the host's: 64 bytes from cudaMalloc
// said: cudaFree gives it back
// said: delete[] of memory that is not the host's: 32 bytes from cudaMallocHost
#include <cstdlib>

#include "launch.h"

int main() {
  int *device, *pinned;
  cudaMalloc(&device, 64);      // @d
  cudaMallocHost(&pinned, 32);  // @e
  free(device);                 // @a
  delete[] pinned;              // @b
  int* freed = zeros<int>(4);
  finish(freed);
  delete freed;  // @c
  // Memory of the host.
  int* own = new int[3];
  delete[] own;
  free(malloc(8));
  free(nullptr);
}
