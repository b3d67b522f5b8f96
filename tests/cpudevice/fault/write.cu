// A write past the end of an allocation ends the launch, not the process, with a sentence and a
// sticky error.
// expect: before 0
// expect: after cudaErrorIllegalAddress
// expect: still cudaErrorIllegalAddress
// expect: launch cudaErrorIllegalAddress
// expect: after reset 0 7
// stderr: kernel write_far, block (1,0,0), thread (0,0,0), tests/cpudevice/fault/write.cu:@a: wrote to address
// stderr: from cudaMalloc
// stderr: (cudaErrorIllegalAddress)
#include <cstdio>

__global__ void write_far(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = n;  // @a
}

int main() {
  int* data;
  cudaMalloc(&data, 1024 * sizeof(int));
  printf("before %d\n", cudaGetLastError());
  write_far<<<2, 1024>>>(data, 7);
  printf("after %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("still %s\n", cudaGetErrorName(cudaGetLastError()));
  write_far<<<1, 1>>>(data, 1);
  printf("launch %s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceReset();
  cudaMalloc(&data, 4);
  write_far<<<1, 1>>>(data, 7);
  int value;
  cudaError_t error = cudaMemcpy(&value, data, 4, cudaMemcpyDefault);
  printf("after reset %d %d\n", error, value);
}
