// Kernels that never end are stopped, whatever they do.
// environment: CUDACPU_TIMEOUT=0.3
// expect: volatile cudaErrorLaunchTimeout
// expect: barrier cudaErrorLaunchTimeout
// expect: shuffle cudaErrorLaunchTimeout
// expect: atomic cudaErrorLaunchTimeout
// expect: plain cudaErrorLaunchTimeout
// expect: usable 1
// stderr: kernel spins, block (0,0,0), thread (0,0,0), tests/cpudevice/fault/timeout.cu:@a: stopped after 0.3 seconds
// stderr: tests/cpudevice/fault/timeout.cu:@b: stopped
// stderr: kernel atomics, block (
// stderr: kernel plain, block (0,0,0)
#include <cstdio>

__global__ void spins(volatile int* flag) {
  while (*flag == 0) {  // @a
  }
}
__global__ void barriers() {
  for (;;)
    __syncthreads();  // @b
}
__global__ void shuffles(int* out) {
  for (int v = 0;; ++v)
    out[threadIdx.x] = __shfl_sync(~0u, v, 3);
}
__global__ void atomics(int* lock) {
  while (atomicCAS(lock, 1, 2) != 1) {
  }
}
__global__ void plain(float* out) {
  for (float x = 0; x < 1e9f; x += 0)
    out[threadIdx.x] = x;
}
__global__ void set(int* out) {
  *out = 1;
}

int main() {
  int* data;
  cudaMallocManaged(&data, 128);
  auto report = [&](const char* what) {
    printf("%s %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMallocManaged(&data, 128);
    for (int i = 0; i < 32; ++i)
      data[i] = 0;
  };
  data[0] = 0;
  spins<<<1, 1>>>(data);
  report("volatile");
  barriers<<<1, 64>>>();
  report("barrier");
  shuffles<<<1, 32>>>(data);
  report("shuffle");
  atomics<<<3, 32>>>(data);
  report("atomic");
  plain<<<1, 32>>>(reinterpret_cast<float*>(data));
  report("plain");
  set<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  printf("usable %d\n", *data);
}
