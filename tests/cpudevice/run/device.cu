// What the API says about the device: properties, attributes, limits, occupancy, kernels.
// expect: CPU device (3 workers)
// expect: done
// stderr: can have at most 231424 dynamic ones, not 232000
// environment: CUDACPU_WORKERS=3
#include "check.h"

__global__ void plain_kernel(int* x) {
  *x = 1;
}

__global__ void __launch_bounds__(256) tile_kernel(int* x) {
  __shared__ int tile[256];
  tile[threadIdx.x] = *x;
  __syncthreads();
  *x = tile[255 - threadIdx.x];
}

template <typename T>
__global__ void dynamic_kernel(T* x) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *x = memory[blockDim.x - 1];
}

void test_properties() {
  int count, device, value, version;
  CHECK_OK(cudaGetDeviceCount(&count));
  CHECK_OK(cudaSetDevice(0));
  CHECK_OK(cudaGetDevice(&device));
  CHECK(count == 1 && device == 0);
  cudaDeviceProp p;
  CHECK_OK(cudaGetDeviceProperties(&p, 0));
  printf("%s\n", p.name);
  CHECK(p.major == 8 && p.minor == 0 && p.warpSize == 32 && p.multiProcessorCount == 8);
  CHECK(p.maxThreadsPerBlock == 1024 && p.sharedMemPerBlock == 49152 &&
        p.sharedMemPerBlockOptin == 232448);
  CHECK(p.l2CacheSize > 0 && p.clockRate > 0 && p.memoryBusWidth > 0 && p.totalGlobalMem > 0);
  CHECK_ERROR(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 1));
  CHECK_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  CHECK(value == p.multiProcessorCount);
  CHECK_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(value == 232448);
  CHECK_OK(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0));
  CHECK(value == 1);
  CHECK_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture2DLayeredLayers, 0));
  CHECK(value == p.maxTexture2DLayered[2] && value == 2048);
  CHECK_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSurfaceCubemapLayeredLayers, 0));
  CHECK(value == p.maxSurfaceCubemapLayered[1] && value == 2046);
  CHECK_OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture3DDepthAlt, 0));
  CHECK(value == p.maxTexture3DAlt[2] && value == 32768);
  CHECK_OK(cudaRuntimeGetVersion(&version));
  CHECK(version == CUDART_VERSION && version >= 13000);
  CHECK_OK(cudaDeviceCanAccessPeer(&value, 0, 0));
  CHECK(value == 0);
}

void test_limits() {
  size_t stack;
  CHECK_OK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  CHECK_OK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  CHECK(stack == 8192);
  CHECK_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24));
  CHECK_ERROR(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(cudaLimit(99), 1));
  cudaFuncCache config;
  CHECK_OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  CHECK_OK(cudaDeviceGetCacheConfig(&config));
  CHECK(config == cudaFuncCachePreferShared);
  CHECK_OK(cudaSetDeviceFlags(cudaDeviceMapHost));
}

void test_functions() {
  cudaFuncAttributes a;
  CHECK_OK(cudaFuncGetAttributes(&a, tile_kernel));
  CHECK(a.sharedSizeBytes == 1024 && a.maxThreadsPerBlock == 256 && a.numRegs > 0);
  CHECK(a.maxDynamicSharedSizeBytes == 48 * 1024 - 1024);
  CHECK_OK(cudaFuncSetAttribute(tile_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  CHECK_OK(cudaFuncGetAttributes(&a, (const void*)tile_kernel));
  CHECK(a.maxDynamicSharedSizeBytes == 100000);
  CHECK_ERROR(
      cudaErrorInvalidValue,
      cudaFuncSetAttribute(tile_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 232000));
  CHECK_OK(cudaFuncSetAttribute(dynamic_kernel<float>,
                                cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CHECK_OK(cudaFuncSetCacheConfig(plain_kernel, cudaFuncCachePreferL1));

  float* x;
  CHECK_OK(cudaMallocManaged(&x, 4));
  dynamic_kernel<<<1, 32, 64 * 1024>>>(x);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK_OK(cudaFuncSetAttribute(dynamic_kernel<float>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                64 * 1024));
  dynamic_kernel<<<1, 32, 64 * 1024>>>(x);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*x == 1);
}

void test_occupancy() {
  int blocks, grid, size;
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain_kernel, 256, 0));
  CHECK(blocks == 8);
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain_kernel, 32, 0));
  CHECK(blocks == 32);
  CHECK_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (void*)dynamic_kernel<int>, 128,
                                                         48 * 1024));
  CHECK(blocks == 4);
  CHECK_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, plain_kernel));
  CHECK(size == 1024 && grid == 16);
  CHECK_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, tile_kernel, 0, 0));
  CHECK(size == 256 && grid == 64);
  // A kilobyte per thread: shared memory is what limits.
  CHECK_OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      &grid, &size, dynamic_kernel<int>, [](int block_size) { return size_t(block_size) * 1024; }));
  CHECK(size > 0 && size <= 224 && grid >= 8);
  int same_grid, same_size;
  CHECK_OK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      &same_grid, &same_size, dynamic_kernel<int>,
      [](int block_size) { return size_t(block_size) * 1024; }, 0, cudaOccupancyDefault));
  CHECK(same_grid == grid && same_size == size);
  size_t available;
  CHECK_OK(cudaOccupancyAvailableDynamicSMemPerBlock(&available, tile_kernel, 2, 256));
  CHECK(available > 100 * 1024 && available < 114 * 1024);
}

int main() {
  test_properties();
  test_limits();
  test_functions();
  test_occupancy();
  printf("done\n");
}
