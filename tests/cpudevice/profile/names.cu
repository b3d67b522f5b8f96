// A profile does not mistake classes of the program for CUDA's because of their names.
#include <cuda_runtime.h>

struct fragment {
  float value;
};

// kernel scale: warps=1
__global__ void scale(float* data) {
  const auto address = reinterpret_cast<size_t>(data) + threadIdx.x * sizeof(float);
  const float value = reinterpret_cast<fragment*>(address)->value;  // global_load: sectors=4
  reinterpret_cast<fragment*>(address)->value = 2 * value;          // global_store: sectors=4
}

int main() {
  float* data;
  cudaMalloc(&data, 32 * sizeof(float));
  cudaMemset(data, 0, 32 * sizeof(float));
  scale<<<1, 32>>>(data);
  cudaDeviceSynchronize();
}
