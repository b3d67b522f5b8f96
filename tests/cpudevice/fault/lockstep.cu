// Faults in kernels that run in lock-step (compiler/lockstep): thread and line are known at once,
// and a launch that takes too long is ended.
// expect: outside cudaErrorIllegalAddress
// expect: assert cudaErrorAssert
// expect: endless cudaErrorLaunchTimeout
// stderr: kernel outside, block (0,0,0), thread (5,3,0), tests/cpudevice/fault/lockstep.cu:@a: wrote to address
// stderr: tests/cpudevice/fault/lockstep.cu:@b: void asserts(int*): block: [0,0,0], thread: [33,0,0] Assertion `data[threadIdx.x] == 2` failed.
// stderr: kernel endless, block (0,0,0), thread (7,0,0), tests/cpudevice/fault/lockstep.cu:
// stderr: stopped after 0.5 seconds
// environment: CUDACPU_TIMEOUT=0.5
#include <cassert>
#include <cstdio>

// What is read at first is changed before the fault: the kernel could not run a second time.
__global__ void outside(long* data) {
  __shared__ long far;
  if (threadIdx.x == 0 && threadIdx.y == 0) far = data[1] == 0 ? 1l << 28 : 0;
  __syncthreads();
  data[threadIdx.x] = 1;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 5 && threadIdx.y == 3) {
    data[far] = 1;  // @a
  }
}
__global__ void asserts(int* data) {
  data[threadIdx.x] = threadIdx.x == 33 ? 1 : 2;
  __syncthreads();
  assert(data[threadIdx.x] == 2);  // @b
}
__global__ void endless(int* data) {
  __syncthreads();
  for (unsigned i = 0; threadIdx.x == 7; ++i)
    data[i % 64] = i;
}

template <typename T, typename Kernel>
void run(const char* name, Kernel kernel, dim3 blocks, dim3 threads) {
  T* data;
  cudaMallocManaged(&data, 64 * sizeof(T));
  kernel<<<blocks, threads>>>(data);
  printf("%s %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
}
int main() {
  run<long>("outside", outside, 1, dim3(8, 4));
  run<int>("assert", asserts, 1, 64);
  run<int>("endless", endless, 1, 64);
}
