// Grid-wide barriers: every block is resident, and too large a grid is refused.
// expect: sum 2016
// expect: refused cudaErrorCooperativeLaunchTooLarge
// expect: blocks fit 1
// expect: early 12
// expect: ordinary cudaErrorLaunchFailure
// stderr: kernel waits, block (
// stderr: was not launched with cudaLaunchCooperativeKernel
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void rotate(int* data, int* out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  for (int round = 0; round < rounds; ++round) {
    int next = data[(i + 1) % n];
    grid.sync();
    data[i] = next;
    grid.sync();
  }
  if (i == 0) {
    *out = 0;
    for (int k = 0; k < n; ++k)
      *out += data[k];
  }
}
__global__ void some_leave(int* out) {
  if (blockIdx.x % 4 == 3) return;
  __syncthreads();
  cg::this_grid().sync();
  if (threadIdx.x == 0) atomicAdd(out, 1);
}
__global__ void waits() {
  cg::this_grid().sync();
}

int main() {
  int *data, *out, rounds = 64;
  cudaMallocManaged(&data, 64 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 64; ++i)
    data[i] = i;
  void* arguments[] = {&data, &out, &rounds};
  cudaLaunchCooperativeKernel((void*)rotate, dim3(16), dim3(4), arguments);
  cudaDeviceSynchronize();
  printf("sum %d\n", *out);
  cudaError_t error = cudaLaunchCooperativeKernel((void*)rotate, dim3(1 << 20), dim3(4), arguments);
  printf("refused %s\n", cudaGetErrorName(error));
  cudaGetLastError();
  int blocks = 0, processors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, some_leave, 256, 0);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  *out = 0;
  void* second[] = {&out};
  error = cudaLaunchCooperativeKernel((void*)some_leave, blocks * processors, 256, second, 0, 0);
  printf("blocks fit %d\n", error == cudaSuccess && *out == blocks * processors * 3 / 4);
  *out = 0;
  cudaLaunchCooperativeKernel((void*)some_leave, 16, 32, second);
  printf("early %d\n", *out);
  waits<<<2, 32>>>();
  printf("ordinary %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
