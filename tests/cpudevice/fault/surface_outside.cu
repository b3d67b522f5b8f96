// A surface access outside the array ends the launch, unless its boundary mode says otherwise.
// expect: an illegal memory access was encountered
// stderr: used a surface of 4 x 2 x 1 elements of 4 bytes at byte 16, row 1, slice 0
// stderr: surface_outside.cu:@a
#include <cstdio>

__global__ void write_kernel(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, 4 * threadIdx.x, 1);  // @a
}

int main() {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &channels, 4, 2, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  write_kernel<<<1, 5>>>(surface);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
