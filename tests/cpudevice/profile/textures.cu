// Texture fetches: an array is tiled, so that a sector holds 16 bytes of two rows.
#include <vector>

constexpr int kSize = 64;

// kernel row
__global__ void row(cudaTextureObject_t texture, float* out) {
  const float x = threadIdx.x + 0.5f;
  out[threadIdx.x] =
      tex2D<float>(texture, x, 4.5f);  // texture_load: requests=1 sectors=8 ideal_sectors=4
}

// kernel column
__global__ void column(cudaTextureObject_t texture, float* out) {
  const float y = threadIdx.x + 0.5f;
  out[threadIdx.x] = tex2D<float>(texture, 3.5f, y);  // texture_load: requests=1 sectors=16
}

// A warp of 8 by 4 threads.
// kernel tile
__global__ void tile(cudaTextureObject_t texture, float* out) {
  const int i = threadIdx.y * 8 + threadIdx.x;
  const float x = threadIdx.x + 8.5f, y = threadIdx.y + 4.5f;
  out[i] = tex2D<float>(texture, x, y);  // texture_load: sectors=4 wavefronts=8
}

// Two rows of 33 elements; the second call's rows lie in different sectors.
// kernel between: load_phases=1
__global__ void between(cudaTextureObject_t texture, float* out) {
  const float x = threadIdx.x + 1;
  float sum = tex2D<float>(texture, x, 1);  // texture_load: requests=1 lanes=32 sectors=9
  sum += tex2D<float>(texture, x, 2);       // texture_load: requests=1 sectors=18
  out[threadIdx.x] = sum;
}

// Bytes, 16 of two rows in a sector; two slices. The last four lanes also read the next line of
// each slice.
// kernel volume
__global__ void volume(cudaTextureObject_t texture, float* out) {
  const float x = threadIdx.x + 1;
  out[threadIdx.x] = tex3D<float>(texture, x, 1, 7);  // texture_load: sectors=6 wavefronts=18
}

// Four neighbouring lanes are in four slices, and a fifth is read: as many lines.
// kernel across
__global__ void across(cudaTextureObject_t texture, float* out) {
  const float z = threadIdx.x + 1;
  out[threadIdx.x] = tex3D<float>(texture, 1, 1, z);  // texture_load: sectors=33 wavefronts=40
}

// kernel linear
__global__ void linear(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);  // texture_load: sectors=4
}

// A surface's accesses are those of rows one after the other.
// kernel surface
__global__ void surface(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, 4 * threadIdx.x, 1);  // global_store: requests=1 sectors=4
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.res.array.array = array;
  return resource;
}

cudaTextureObject_t texture_of(cudaResourceDesc resource, cudaTextureFilterMode filter,
                               cudaTextureReadMode read) {
  cudaTextureDesc description = {};
  for (auto& mode : description.addressMode)
    mode = cudaAddressModeClamp;
  description.filterMode = filter;
  description.readMode = read;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

int main() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t image, scan;
  cudaMallocArray(&image, &floats, kSize, kSize, cudaArraySurfaceLoadStore);
  cudaMalloc3DArray(&scan, &bytes, make_cudaExtent(kSize, kSize, kSize));
  float* out;
  cudaMalloc(&out, kSize * sizeof(float));
  const cudaTextureObject_t points =
      texture_of(resource_of(image), cudaFilterModePoint, cudaReadModeElementType);
  const cudaTextureObject_t filtered =
      texture_of(resource_of(image), cudaFilterModeLinear, cudaReadModeElementType);
  row<<<1, 32>>>(points, out);
  column<<<1, 32>>>(points, out);
  tile<<<1, dim3(8, 4)>>>(points, out);
  between<<<1, 32>>>(filtered, out);
  const cudaTextureObject_t scanned =
      texture_of(resource_of(scan), cudaFilterModeLinear, cudaReadModeNormalizedFloat);
  volume<<<1, 32>>>(scanned, out);
  across<<<1, 32>>>(scanned, out);
  cudaResourceDesc memory = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear = {out, floats, kSize * sizeof(float)};
  float* other;
  cudaMalloc(&other, kSize * sizeof(float));
  linear<<<1, 32>>>(texture_of(memory, cudaFilterModePoint, cudaReadModeElementType), other);
  const cudaResourceDesc resource = resource_of(image);
  cudaSurfaceObject_t written;
  cudaCreateSurfaceObject(&written, &resource);
  surface<<<1, 32>>>(written);
  return cudaDeviceSynchronize();
}
