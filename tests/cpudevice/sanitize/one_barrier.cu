// A single missing barrier in a loop, or a single missing check: many lines, one finding each.
// finding: race @b @a
// finding: bad_access @c
// finding: race @e @d
// said: the same holds for lines
#include "launch.h"

// Sorts pairs at growing distances, without a wait between two distances.
__global__ void steps(int* keys, int* values, int n) {
  __shared__ int tile_keys[128], tile_values[128];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    tile_keys[i] = keys[i];
    tile_values[i] = values[i];
  }
  __syncthreads();
  for (int distance = 64; distance > 0; distance /= 2) {
    const int low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
    const int high = low + distance;
    const int low_key = tile_keys[low];  // @a
    const int high_key = tile_keys[high];
    if (low_key <= high_key) continue;
    tile_keys[low] = high_key;  // @b
    tile_keys[high] = low_key;
    const int low_value = tile_values[low];
    tile_values[low] = tile_values[high];
    tile_values[high] = low_value;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    keys[i] = tile_keys[i];
    values[i] = tile_values[i];
  }
}

__global__ void unchecked(const int* keys, int* values, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int key = keys[i];  // @c
  const int value = values[i];
  out[i] = key + value;
}

// Two arrays that a kernel in another stream still writes.
__global__ void writes(int* keys, int* values) {
  keys[threadIdx.x] = threadIdx.x;  // @d
  values[threadIdx.x] = threadIdx.x;
}
__global__ void reads(const int* keys, const int* values, int* out) {
  const int key = keys[threadIdx.x];  // @e
  const int value = values[threadIdx.x];
  out[threadIdx.x] = key + value;
}

int main() {
  int *keys = zeros<int>(128), *values = zeros<int>(128), *out = zeros<int>(128);
  int falling[128];
  for (int i = 0; i < 128; ++i)
    falling[i] = 128 - i;
  cudaMemcpy(keys, falling, sizeof(falling), cudaMemcpyHostToDevice);
  cudaMemcpy(values, falling, sizeof(falling), cudaMemcpyHostToDevice);
  steps<<<1, 64>>>(keys, values, 128);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaDeviceSynchronize();
  writes<<<1, 128, 0, first>>>(keys, values);
  reads<<<1, 128, 0, second>>>(keys, values, out);
  cudaDeviceSynchronize();
  unchecked<<<3, 64>>>(keys, values, out);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(keys);
  cudaFree(values);
  finish(out);
}
