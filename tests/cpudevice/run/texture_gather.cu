// The four elements around a place, levels of detail, and a filter without effect on linear memory.
// expect: 4 5 1 0
// expect: 4 5 1 0
// expect: 6 6
// expect: 3
#include <cstdio>

__global__ void gather_kernel(cudaTextureObject_t in_elements, cudaTextureObject_t normalised) {
  const float4 g = tex2Dgather<float4>(in_elements, 1.1f, 0.9f);
  printf("%g %g %g %g\n", g.x, g.y, g.z, g.w);
  const float4 n = tex2Dgather<float4>(normalised, 1.1f / 4, 0.9f / 4, 0);
  printf("%g %g %g %g\n", n.x, n.y, n.z, n.w);
  printf("%g %g\n", tex2DLod<float>(in_elements, 2.5f, 1.5f, 3.0f),
         tex2DLod<float>(normalised, 2.5f / 4, 1.5f / 4, 0.0f));
}

__global__ void fetch_kernel(cudaTextureObject_t linear) {
  printf("%d\n", tex1Dfetch<int>(linear, 3));
}

int main() {
  float values[4][4];
  for (int i = 0; i < 16; ++i)
    values[i / 4][i % 4] = static_cast<float>(i);
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &channels, 4, 4, cudaArrayTextureGather);
  cudaMemcpy2DToArray(array, 0, 0, values, 16, 16, 4, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t textures[2];
  for (int i = 0; i < 2; ++i) {
    description.normalizedCoords = i;
    cudaCreateTextureObject(&textures[i], &resource, &description, nullptr);
  }
  gather_kernel<<<1, 1>>>(textures[0], textures[1]);
  cudaDeviceSynchronize();

  int* linear;
  cudaMallocManaged(&linear, 4 * sizeof(int));
  linear[3] = 3;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = linear;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 4 * sizeof(int);
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess) return 1;
  fetch_kernel<<<1, 1>>>(texture);
  return cudaDeviceSynchronize();
}
