// Managed memory that the host has written moves where the device copies it, variables as well as
// allocations.
#include <cuda_runtime.h>

#include <cstring>

constexpr size_t kBytes = 1 << 16;

__managed__ unsigned char variable[kBytes];

__global__ void nothing() {}

// kernel read: warps=1
__global__ void read(int* out) {
  out[threadIdx.x] = variable[threadIdx.x * 4096 % kBytes];
}

// host managed_first_touch_host: bytes=131072
// host managed_fault: bytes=262144
// host managed_fault_host: bytes=131072
int main() {
  nothing<<<1, 1>>>();  // variables are known once something runs
  unsigned char* managed;
  unsigned char* device;
  cudaMallocManaged(&managed, kBytes);
  cudaMalloc(&device, kBytes);
  std::memset(managed, 1, kBytes);
  std::memset(variable, 1, kBytes);
  cudaMemcpy(device, managed, kBytes, cudaMemcpyDefault);  // the pages go to the device,
  std::memset(managed, 2, kBytes);                         // come back,
  cudaMemcpy(managed, device, kBytes, cudaMemcpyDefault);  // go there again,
  std::memset(managed, 3, kBytes);                         // come back,
  cudaMemset(managed, 4, kBytes);                          // and go
  read<<<1, 32>>>(reinterpret_cast<int*>(device));
  cudaDeviceSynchronize();
}
