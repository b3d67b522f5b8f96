// Correct programs that look faulty: bytes of a word by many threads, structures,
// vectors, constants, virtual functions, device memory from malloc, atomics of every sort, groups.
#include <cooperative_groups.h>

#include "launch.h"

namespace cg = cooperative_groups;

__constant__ int lookup[4];
__device__ unsigned histogram[8];
__managed__ int managed_total;

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};

__global__ void bytes(unsigned char* image) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  image[i] = static_cast<unsigned char>(i);
  __shared__ bool flags[64];
  flags[threadIdx.x] = i % 2;
  __syncthreads();
  if (flags[63 - threadIdx.x]) image[i] += 1;
}

__global__ void shapes(int* out) {
  Square square(threadIdx.x);
  const Shape* shape = &square;
  out[threadIdx.x] = shape->area() + lookup[threadIdx.x % 4];
  int* scratch = new int[4];
  for (int i = 0; i < 4; ++i)
    scratch[i] = i;
  out[threadIdx.x] += scratch[3];
  delete[] scratch;
}

__global__ void count(const int* in) {
  __shared__ unsigned local[8];
  if (threadIdx.x < 8) local[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&local[in[threadIdx.x] & 7], 1u);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&histogram[threadIdx.x], local[threadIdx.x]);
}

// CUDA's handbook: any atomic by atomicCAS.
__global__ void maximum(int* address, const int* in) {
  const int value = in[threadIdx.x];
  int old = *address, assumed;
  do {
    assumed = old;
    old = atomicCAS(address, assumed, value > assumed ? value : assumed);
  } while (assumed != old);
}

__global__ void groups(int* data) {
  cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  data[i] = i;
  grid.sync();
  const int other = data[(i + 64) % grid.size()];
  grid.sync();
  data[i] = other;
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
  __shared__ int scratch[64];
  scratch[threadIdx.x] = data[i];
  tile.sync();
  data[i] += scratch[threadIdx.x ^ 7];
}

__global__ void copy(const float4* in, float4* out) {
  out[threadIdx.x] = in[threadIdx.x];
  float local[8];
  for (int i = 0; i < 8; ++i)
    local[i] = out[threadIdx.x].x + i;
  memcpy(&out[threadIdx.x], &local[threadIdx.x % 4], sizeof(float4));
}

__global__ void dynamic(int* data) {
  extern __shared__ int tile[];
  int* second = tile + blockDim.x;
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  second[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = second[threadIdx.x];
}

__global__ void add_up(const int* data) {
  const int sum = __syncthreads_count(data[threadIdx.x] >= 0);
  if (threadIdx.x == 0) managed_total += sum;
}

int main() {
  unsigned char* image = zeros<unsigned char>(256);
  int* data = zeros<int>(256);
  int* best = zeros<int>(1);
  const int values[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(lookup, values, sizeof(values));
  bytes<<<4, 64>>>(image);
  shapes<<<1, 64>>>(data);
  count<<<4, 64>>>(data);
  maximum<<<4, 64>>>(best, data);
  void* arguments[] = {&data};
  cudaLaunchCooperativeKernel((void*)groups, dim3(4), dim3(64), arguments, 0, nullptr);
  copy<<<1, 16>>>(reinterpret_cast<float4*>(data), reinterpret_cast<float4*>(data) + 16);
  dynamic<<<1, 64, 128 * sizeof(int)>>>(data);
  add_up<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  printf("%d\n", managed_total);
  cudaFree(image);
  cudaFree(best);
  finish(data);
}
