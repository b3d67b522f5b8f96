// Textures on memory of the host, and on variables: their fetches count like others, and those from
// the host use the link.
#include <cuda_runtime.h>

#include <cstdlib>

constexpr int kSize = 1024;

__device__ float variable[kSize];

// kernel read: link_load_bytes=8192
__global__ void read(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);  // texture_load: requests=96
}

cudaTextureObject_t texture_of(void* data) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = kSize * sizeof(float);
  const cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

int main() {
  constexpr size_t kPage = 4096;
  void* pinned;
  void* device;
  void* const registered = std::aligned_alloc(kPage, kSize * sizeof(float));
  cudaMallocHost(&pinned, kSize * sizeof(float));
  cudaHostRegister(registered, kSize * sizeof(float), cudaHostRegisterDefault);
  cudaGetSymbolAddress(&device, variable);
  float* out;
  cudaMalloc(&out, kSize * sizeof(float));
  for (void* const data : {pinned, registered, device})
    read<<<1, kSize>>>(texture_of(data), out);
  cudaDeviceSynchronize();
}
