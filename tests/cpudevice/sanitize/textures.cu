// Textures and surfaces: unwritten elements, a freed array, a race of a
// surface's writes with a texture's reads.
// finding: uninitialised @a
// finding: race @b @c
// finding: bad_access @d
// finding: double_free @e
#include "launch.h"

constexpr int kSize = 8;

__global__ void fetch_kernel(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 1, 2.0f);  // @a
}

__global__ void both_kernel(cudaTextureObject_t texture, cudaSurfaceObject_t surface, float* out) {
  const int x = threadIdx.x;
  surf2Dwrite(x + 1.0f, surface, 4 * x, 5);            // @b
  out[x] = tex2D<float>(texture, 7 - x + 0.5f, 5.5f);  // @c
}

__global__ void freed_kernel(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, 4.0f, threadIdx.x);  // @d
}

int main() {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &channels, kSize, kSize, cudaArraySurfaceLoadStore);
  float rows[kSize][kSize] = {};
  cudaMemcpy2DToArray(array, 0, 0, rows, sizeof(rows[0]), sizeof(rows[0]), 2,
                      cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  cudaCreateSurfaceObject(&surface, &resource);
  float* out;
  cudaMalloc(&out, kSize * sizeof(float));
  fetch_kernel<<<1, 4>>>(texture, out);  // rows 1 and 2, of which the second is not written
  cudaMemcpy2DToArray(array, 0, 0, rows, sizeof(rows[0]), sizeof(rows[0]), kSize,
                      cudaMemcpyHostToDevice);
  fetch_kernel<<<1, 4>>>(texture, out);
  both_kernel<<<1, kSize>>>(texture, surface, out);
  cudaFreeArray(array);
  cudaFreeArray(array);  // @e
  freed_kernel<<<1, kSize>>>(texture, out);
  cudaFree(out);
}
