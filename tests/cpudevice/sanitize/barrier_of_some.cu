// A barrier in a branch is a single finding, whatever follows: the next barriers of the parted
// threads, and races that the barrier does not prevent. The library notes findings with templates
// of the program's, which main() has; the noted memory is not the kernel's.
// finding: barrier @a @b
// finding: barrier @d
// finding: uninitialised @e
// said: reads 4 bytes that nothing has written, 8 bytes into the __shared__ variables of device
// not said: race
// not said: free
#include <string>
#include <vector>

#include "launch.h"

// Like a step of a sort that exchanges some pairs.
__global__ void in_a_loop(int* data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  for (int distance = 32; distance > 0; distance /= 2) {
    __syncthreads();  // @b
    const int low = threadIdx.x;
    const int high = low ^ distance;
    if (high < low || tile[low] <= tile[high]) continue;
    const int value = tile[low];
    tile[low] = tile[high];
    tile[high] = value;
    __syncthreads();  // @a
  }
  data[threadIdx.x] = tile[threadIdx.x];
}

__global__ void around_it(int* data, int n) {
  __shared__ int tile[64];
  if (threadIdx.x < n) {
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();  // @d
  }
  if (threadIdx.x < n) data[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

// Variables of device functions have a separate place in shared memory.
__device__ int never_stored() {
  __shared__ int sums[4];
  return sums[2];  // @e
}

__global__ void reads_it(int* data) {
  data[threadIdx.x] = never_stored();
}

int main() {
  std::vector<std::string> words;
  for (const char* word : {"the", "program's", "own", "instances"})
    words.push_back(word + std::string(20, '.'));
  int* data;
  cudaMalloc(&data, 64 * sizeof(int));
  std::vector<int> keys;
  for (int i = 0; i < 64; ++i)
    keys.push_back(i * 37 % 64);
  cudaMemcpy(data, keys.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  in_a_loop<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  cudaDeviceReset();
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemcpy(data, keys.data(), 64 * sizeof(int), cudaMemcpyHostToDevice);
  around_it<<<1, 64>>>(data, 40);
  cudaDeviceSynchronize();
  reads_it<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
  return static_cast<int>(words.size()) - 4;
}
