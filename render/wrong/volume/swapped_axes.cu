// verdict: =wrong
// from: ladder/volume/01_global.cu
// Takes z to be the axis whose voxels lie next to each other.
#include "cuda_check.h"
#include "volume.h"

namespace {

constexpr int kBlockWidth = 256;
constexpr int kBlockHeight = 1;

__device__ float mix(float a, float b, float part) {
  return a + part * (b - a);
}

// The two of n elements around a coordinate, and the coordinate's part of the way to the second.
struct Between {
  int first, second;
  float part;
};
__device__ Between between(float coordinate, int n) {
  const float place = fminf(fmaxf(coordinate - 0.5f, 0), n - 1);
  const int first = static_cast<int>(place);
  return {first, min(first + 1, n - 1), place - first};
}

// The volume's value at a place, from 0 to 1.
__device__ float sample(const VolumeScene& scene, Vec3 place) {
  const int n = scene.view.size;
  const Between i = between(place.x, n);
  const Between j = between(place.y, n);
  const Between k = between(place.z, n);
  const auto in_row = [&](int slice, int row) {
    const unsigned char* voxels = scene.voxels + static_cast<size_t>(row) * n + slice;
    return mix(voxels[static_cast<size_t>(i.first) * n * n],
               voxels[static_cast<size_t>(i.second) * n * n], i.part);
  };
  const auto in_slice = [&](int slice) {
    return mix(in_row(slice, j.first), in_row(slice, j.second), j.part);
  };
  return mix(in_slice(k.first), in_slice(k.second), k.part) * (1.0f / 255);
}

// Colour and opacity of a value.
__device__ float4 transfer(const VolumeScene& scene, float value) {
  const Between entry = between(value * kVolumeColours, kVolumeColours);
  const float4 a = scene.table[entry.first];
  const float4 b = scene.table[entry.second];
  return make_float4(mix(a.x, b.x, entry.part), mix(a.y, b.y, entry.part),
                     mix(a.z, b.z, entry.part), mix(a.w, b.w, entry.part));
}

// A thread per pixel. The scene is an argument: constant memory hands a value to
// all lanes at once.
__global__ void render_volume_kernel(VolumeScene scene, float4* image) {
  const int col = blockIdx.x * kBlockWidth + threadIdx.x;
  const int row = blockIdx.y * kBlockHeight + threadIdx.y;
  if (col >= scene.view.width || row >= scene.view.height) return;
  const VolumeRay ray = volume_ray(scene.view, row, col);
  float4 pixel = make_float4(0, 0, 0, 1);
  float light = 1;
  for (int k = ray.first; k < ray.end && light >= kVolumeDark; ++k) {
    const float value = sample(scene, ray.origin + scene.view.forward * k);
    const float4 colour = transfer(scene, value);
    const float share = light * colour.w;
    pixel.x += share * colour.x;
    pixel.y += share * colour.y;
    pixel.z += share * colour.z;
    light -= share;
  }
  image[static_cast<size_t>(row) * scene.view.width + col] = pixel;
}

}  // namespace

void render_volume(const VolumeScene& scene, float4* image, Workspace&) {
  const dim3 grid(ceil_div(scene.view.width, kBlockWidth),
                  ceil_div(scene.view.height, kBlockHeight));
  const dim3 block(kBlockWidth, kBlockHeight);
  render_volume_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
