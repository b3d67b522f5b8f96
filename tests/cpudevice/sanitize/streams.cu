// Two streams and one array: unordered, and ordered by an event, by the default stream, by the
// host.
// finding: race @a @a
// finding: race @b @a
#include "launch.h"

__global__ void add(int* data) {
  data[threadIdx.x] += 1;  // @a
}

int main() {
  int* data = zeros<int>(32);
  int* host;
  cudaMallocHost(&host, 32 * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaDeviceSynchronize();

  add<<<1, 32, 0, first>>>(data);
  cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event);
  add<<<1, 32, 0, second>>>(data);
  cudaStreamSynchronize(second);
  add<<<1, 32, 0, first>>>(data);
  cudaMemcpyAsync(host, data, 32 * sizeof(int), cudaMemcpyDeviceToHost, first);
  cudaStreamSynchronize(first);
  int sum = host[0];

  add<<<1, 32, 0, first>>>(data);
  add<<<1, 32, 0, second>>>(data);  // races with the launch before
  cudaDeviceSynchronize();
  add<<<1, 32, 0, first>>>(data);
  cudaMemcpyAsync(host, data, 32 * sizeof(int), cudaMemcpyDeviceToHost, second);  // @b
  cudaDeviceSynchronize();

  sum += host[1];
  cudaFreeHost(host);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaEventDestroy(event);
  finish(data);
  return sum == 0;
}
