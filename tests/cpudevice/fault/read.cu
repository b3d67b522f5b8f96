// Faults inside device functions, in kernels with barriers, on null pointers and at shared memory's
// end.
// expect: read cudaErrorIllegalAddress
// expect: null cudaErrorIllegalAddress
// expect: shared cudaErrorIllegalAddress
// expect: division cudaSuccess
// expect: trap cudaErrorLaunchFailure
// stderr: kernel reads, block (0,0,0), thread (33,0,0), tests/cpudevice/fault/read.cu:@a: read address
// stderr: kernel null_pointer, block (2,0,0), thread (1,0,0), tests/cpudevice/fault/read.cu:@b: wrote to address (nil), the null pointer
// stderr: kernel past_shared, block (0,0,0), thread (0,0,0), tests/cpudevice/fault/read.cu:@c: wrote to address
// stderr: past the end of the block's 64 bytes of shared memory
// stderr: tests/cpudevice/fault/read.cu:@e:
#include <cstdio>

__device__ __noinline__ int fetch(const int* data, long i) {
  return data[i];  // @a
}
__global__ void reads(int* data) {
  __shared__ int values[64];
  values[threadIdx.x] = 1;
  __syncthreads();
  data[threadIdx.x] = fetch(data, threadIdx.x == 33 ? 1l << 28 : threadIdx.x) + values[0];
}
__global__ void null_pointer(int* data) {
  if (blockIdx.x == 2 && threadIdx.x == 1) {
    *data = 1;  // @b
  }
}
__global__ void past_shared(int n) {
  extern __shared__ int dynamic[];
  for (int i = 0; i < n; ++i)
    dynamic[i] = i;  // @c
}
__global__ void divides(int* data, int zero) {
  data[0] = 7 / zero;  // a GPU goes on, with all bits set
}
__global__ void traps(int* data) {
  if (data[0] == 0) __trap();  // @e
}

int main() {
  int* data;
  auto report = [&](const char* what) {
    printf("%s %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
  };
  cudaMalloc(&data, 64 * sizeof(int));
  reads<<<1, 64>>>(data);
  report("read");
  null_pointer<<<3, 32>>>(nullptr);
  report("null");
  past_shared<<<1, 1, 64>>>(17);
  report("shared");
  divides<<<1, 1>>>(data, 0);
  report("division");
  traps<<<1, 1>>>(data);
  report("trap");
}
