// Functions of the C library that the host gives device memory.
// stops: host_sorts_device_memory.cu:10: the host reads 4096 bytes of device memory
// status: -11
#include <cstdlib>

int main() {
  int* device;
  cudaMalloc(&device, 4096);
  cudaMemset(device, 0, 4096);
  qsort(device, 1024, sizeof(int), [](const void*, const void*) { return 0; });
}
