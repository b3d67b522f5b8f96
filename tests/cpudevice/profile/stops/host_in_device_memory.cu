// A loop of the host over device memory: a segmentation fault on a machine with a GPU. What is
// pinned, managed or registered is the host's too.
// stops: host_in_device_memory.cu:20: the host reads 4 bytes of device memory (cudaMalloc)
// status: -11
#include <cstdlib>

int main() {
  int *device, *pinned, *managed;
  cudaMallocHost(&pinned, 4096);
  cudaMallocManaged(&managed, 4096);
  for (int i = 0; i < 1024; ++i)
    pinned[i] = managed[i] = i;
  cudaFreeHost(pinned);
  cudaFree(managed);
  for (int round = 0; round < 3; ++round) {
    cudaMalloc(&device, 4096);
    cudaMemset(device, 0, 4096);
    if (round == 2)
      for (int i = 0; i < 1024; ++i)
        device[i] += i;  // the read and the write
    cudaFree(device);
  }
}
