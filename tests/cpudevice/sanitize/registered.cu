// Asynchronous copies from and to memory of cudaHostRegister, which the host uses too early.
// finding: race @a @b
// finding: race @c @d
// finding: race @e @f
#include <vector>

#include "launch.h"

constexpr size_t kItems = 64;
constexpr size_t kBytes = kItems * sizeof(int);

int main() {
  int* device = zeros<int>(kItems);
  std::vector<int> memory(2 * kItems, 1), other(kItems, 1);
  int* const host = memory.data();
  cudaHostRegister(host, 2 * kBytes, cudaHostRegisterDefault);
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, stream);  // @b
  int sum = host[1];
  host[2] = 3;  // @a
  cudaStreamSynchronize(stream);
  host[2] = 4;

  cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);  // @d
  sum += host[kItems] + other[1];
  sum += host[3];  // @c
  cudaStreamSynchronize(stream);
  sum += host[3];

  // The left half of each of four rows.
  const size_t row = kBytes / 4;
  cudaMemcpy2DAsync(host, row, device, row, row / 2, 4, cudaMemcpyDeviceToHost, stream);  // @f
  sum += host[kItems / 8];
  sum += host[kItems / 4];  // @e
  cudaStreamSynchronize(stream);

  // cudaFree waits for all work.
  int* const unused = zeros<int>(1);
  cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);
  cudaFree(unused);
  sum += host[3];

  // Memory that is not registered has been copied when the function returns.
  cudaMemcpyAsync(other.data(), device, kBytes, cudaMemcpyDeviceToHost, stream);
  sum += other[2];
  cudaStreamSynchronize(stream);
  cudaHostUnregister(host);
  cudaStreamDestroy(stream);
  cudaFree(device);
  return sum == 0;
}
