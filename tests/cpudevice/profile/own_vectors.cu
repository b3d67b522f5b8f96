// Work of the profiler while it counts is not the host's work, not even if the linker gives the
// profiler the program's instance of a shared template, or if a function is inline.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// kernel read: warps=4096 barriers=1
__global__ void read(cudaTextureObject_t texture, float* out) {
  const int i = threadIdx.x;
  __syncthreads();  // how the library waits is the library's work too
  out[i] = tex2D<float>(texture, i + 0.5f, 0.5f);  // texture_load: requests=4096
}

// host host_copy: times=1 bytes=24
// host host_work: times=0
int main() {
  constexpr int kSize = 256;
  std::vector<unsigned long> numbers;  // moves 8 bytes at the first growth, and then 16
  for (unsigned long i = 0; i < 3; ++i)
    numbers.push_back(2 * i);
  cudaArray_t array;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &channels, kSize, 2);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  float* out;
  cudaMalloc(&out, kSize * sizeof(float));
  read<<<512, kSize>>>(texture, out);
  cudaDeviceSynchronize();
  std::printf("%zu\n", numbers.size());
}
