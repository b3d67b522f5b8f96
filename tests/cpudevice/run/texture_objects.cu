// Arrays, texture objects and surface objects: copies in and out, layers, refused calls and why.
// expect: done
// stderr: cudaMemcpy2DToArray: 9 x 1 x 1 elements from (0, 0, 0) on are not in an array of 8 x 4 x 1
// stderr: cudaMemcpy3D: there is no such array
// stderr: 32-bit integers cannot be read as normalised floats
// stderr: linear filtering is for floats
// stderr: the array was not made with cudaArraySurfaceLoadStore
// stderr: an array's elements have 1, 2 or 4 channels
#include <cstring>

#include "check.h"

constexpr int kWidth = 8, kHeight = 4, kLayers = 3;

int volume[kLayers][kHeight][kWidth];

cudaArray_t layered_array(unsigned int flags) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  CHECK_OK(cudaMalloc3DArray(&array, &channels, make_cudaExtent(kWidth, kHeight, kLayers), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume, sizeof(volume[0][0]), kWidth, kHeight);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(kWidth, kHeight, kLayers);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_OK(cudaMemcpy3D(&copy));
  return array;
}

cudaTextureObject_t texture_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

__global__ void layers_kernel(cudaTextureObject_t two, cudaTextureObject_t one, int* out) {
  const int layer = threadIdx.x;
  out[layer] = tex2DLayered<int>(two, 5.5f, 2.5f, layer - 1);
  out[blockDim.x + layer] = tex1DLayered<int>(one, 2.5f, layer - 1);
}

void test_layers() {
  const cudaArray_t two = layered_array(cudaArrayLayered);
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  cudaArray_t one;
  CHECK_OK(
      cudaMalloc3DArray(&one, &channels, make_cudaExtent(kWidth, 0, kLayers), cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume, sizeof(volume[0]), kWidth, 1);
  copy.dstArray = one;
  copy.extent = make_cudaExtent(kWidth, 1, kLayers);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_OK(cudaMemcpy3D(&copy));
  int* out;
  CHECK_OK(cudaMallocManaged(&out, 2 * (kLayers + 2) * sizeof(int)));
  layers_kernel<<<1, kLayers + 2>>>(texture_of(two), texture_of(one), out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < kLayers + 2; ++i) {  // missing layers give the nearest layer
    const int layer = i == 0 ? 0 : i > kLayers ? kLayers - 1 : i - 1;
    CHECK(out[i] == volume[layer][2][5]);
    CHECK(out[kLayers + 2 + i] == volume[layer][0][2]);
  }
  CHECK_OK(cudaFreeArray(two));
  CHECK_OK(cudaFreeArray(one));
}

// In a 3-D array, a part of a row to the right place and back.
void test_parts() {
  const cudaArray_t array = layered_array(0);
  int part[2][3] = {{-1, -2, -3}, {-4, -5, -6}}, back[kLayers][kHeight][kWidth];
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(part, sizeof(part[0]), 3, 2);
  copy.dstArray = array;
  copy.dstPos = make_cudaPos(4, 1, 2);
  copy.extent = make_cudaExtent(3, 2, 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_OK(cudaMemcpy3D(&copy));
  copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(back, sizeof(back[0][0]), kWidth, kHeight);
  copy.extent = make_cudaExtent(kWidth, kHeight, kLayers);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK_OK(cudaMemcpy3D(&copy));
  for (int z = 0; z < kLayers; ++z)
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const bool changed = z == 2 && y >= 1 && y < 3 && x >= 4 && x < 7;
        CHECK(back[z][y][x] == (changed ? part[y - 1][x - 4] : volume[z][y][x]));
      }
  CHECK_OK(cudaFreeArray(array));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaMemcpy3D(&copy));
}

void test_rows() {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  cudaArray_t a, b;
  CHECK_OK(cudaMallocArray(&a, &channels, kWidth, kHeight));
  CHECK_OK(cudaMallocArray(&b, &channels, kWidth, kHeight));
  constexpr size_t kRow = kWidth * sizeof(int);
  CHECK_OK(cudaMemcpy2DToArray(a, 0, 0, volume, kRow, kRow, kHeight, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy2DArrayToArray(b, 4, 1, a, 8, 0, 12, 2));
  int back[2][3];
  CHECK_OK(cudaMemcpy2DFromArray(back, sizeof(back[0]), b, 4, 1, 12, 2, cudaMemcpyDeviceToHost));
  CHECK(back[0][0] == volume[0][0][2] && back[1][2] == volume[0][1][4]);
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemcpy2DToArray(a, 0, 0, volume, 64, 36, 1, cudaMemcpyHostToDevice));
  cudaExtent extent;
  unsigned int flags;
  cudaChannelFormatDesc found;
  CHECK_OK(cudaArrayGetInfo(&found, &extent, &flags, a));
  CHECK(found.x == 32 && found.y == 0 && found.f == cudaChannelFormatKindSigned);
  CHECK(extent.width == kWidth && extent.height == kHeight && extent.depth == 0 && flags == 0);
  CHECK_OK(cudaFreeArray(a));
  CHECK_OK(cudaFreeArray(b));
}

// Rows of linear memory with a pitch.
__global__ void rows_kernel(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.5f, 1.0f);
}

void test_pitched_memory() {
  float rows[2][3] = {{1, 2, 3}, {5, 10, 15}};
  float *data, *out;
  size_t pitch;
  CHECK_OK(cudaMallocPitch(&data, &pitch, sizeof(rows[0]), 2));
  CHECK_OK(
      cudaMemcpy2D(data, pitch, rows, sizeof(rows[0]), sizeof(rows[0]), 2, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {data, cudaCreateChannelDesc<float>(), 3, 2, pitch};
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  CHECK_OK(cudaMallocManaged(&out, 4 * sizeof(float)));
  rows_kernel<<<1, 4>>>(texture, out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 3 && out[1] == 6 && out[2] == 9 && out[3] == 9);
  cudaResourceDesc again;
  CHECK_OK(cudaGetTextureObjectResourceDesc(&again, texture));
  CHECK(again.res.pitch2D.devPtr == data);
  CHECK_OK(cudaDestroyTextureObject(texture));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaDestroyTextureObject(texture));
}

// Each face of a cube holds its own number.
__global__ void cube_kernel(cudaTextureObject_t texture, float* out) {
  const float directions[6][3] = {{1, .2f, -.3f}, {-1, .2f, .3f}, {.1f, 2, .5f},
                                  {.1f, -2, .5f}, {.1f, .2f, 3},  {.1f, .2f, -3}};
  const float* d = directions[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(texture, d[0], d[1], d[2]);
}

void test_cube() {
  float faces[6][2][2];
  for (int i = 0; i < 24; ++i)
    (&faces[0][0][0])[i] = i / 4;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK_OK(cudaMalloc3DArray(&array, &channels, make_cudaExtent(2, 2, 6), cudaArrayCubemap));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(faces, sizeof(faces[0][0]), 2, 2);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(2, 2, 6);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_OK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.normalizedCoords = 1;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  float* out;
  CHECK_OK(cudaMallocManaged(&out, 6 * sizeof(float)));
  cube_kernel<<<1, 6>>>(texture, out);
  CHECK_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 6; ++i)
    CHECK(out[i] == i);
}

__global__ void surface_kernel(cudaSurfaceObject_t surface, int* out) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int value = surf3Dread<int>(surface, 4 * x, y, 1);
  surf3Dwrite(-value, surface, 4 * x, y, 2);
  if (x == 0 && y == 0) {
    out[0] = surf3Dread<int>(surface, 4 * kWidth, 0, 0, cudaBoundaryModeZero);
    out[1] = surf3Dread<int>(surface, 4 * kWidth, 9, -3, cudaBoundaryModeClamp);
    surf3Dwrite(1, surface, -4, 0, 0, cudaBoundaryModeZero);
    surf3Dread(&out[2], surface, 4, 0, 0);
  }
}

void test_surfaces() {
  const cudaArray_t array = layered_array(cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  CHECK_OK(cudaCreateSurfaceObject(&surface, &resource));
  int* out;
  CHECK_OK(cudaMallocManaged(&out, 3 * sizeof(int)));
  surface_kernel<<<1, dim3(kWidth, kHeight)>>>(surface, out);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(out[0] == 0 && out[1] == volume[0][kHeight - 1][kWidth - 1] && out[2] == volume[0][0][1]);
  int back[kHeight][kWidth];
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.srcPos = make_cudaPos(0, 0, 2);
  copy.dstPtr = make_cudaPitchedPtr(back, sizeof(back[0]), kWidth, kHeight);
  copy.extent = make_cudaExtent(kWidth, kHeight, 1);
  copy.kind = cudaMemcpyDefault;
  CHECK_OK(cudaMemcpy3D(&copy));
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      CHECK(back[y][x] == -volume[1][y][x]);
  CHECK_OK(cudaDestroySurfaceObject(surface));
  CHECK_OK(cudaFreeArray(array));
}

void test_refusals() {
  const cudaArray_t array = layered_array(0);
  cudaResourceDesc resource = {};
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  description.readMode = cudaReadModeNormalizedFloat;
  CHECK_ERROR(cudaErrorInvalidNormSetting,
              cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  description.readMode = cudaReadModeElementType;
  description.filterMode = cudaFilterModeLinear;
  CHECK_ERROR(cudaErrorInvalidFilterSetting,
              cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  CHECK_ERROR(cudaErrorInvalidValue, cudaCreateSurfaceObject(&surface, &resource));
  cudaArray_t other;
  const cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  CHECK_ERROR(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&other, &three, 4, 4));
  const cudaChannelFormatDesc one = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
  CHECK_ERROR(cudaErrorInvalidValue, cudaMallocArray(&other, &one, 0, 4));
  CHECK_OK(cudaFreeArray(nullptr));
}

int main() {
  for (int i = 0; i < kLayers * kHeight * kWidth; ++i)
    (&volume[0][0][0])[i] = 1000 + i;
  test_layers();
  test_parts();
  test_rows();
  test_pitched_memory();
  test_cube();
  test_surfaces();
  test_refusals();
  printf("done\n");
}
