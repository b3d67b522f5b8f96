// Rung 5: a shape for each view.
//
//   make check-render WITH=ladder/volume/05_bands.cu
//
// Idea: a warp should lie along the axis whose neighbours are nearest in memory. The view tells in
// which direction that axis is drawn; six bands of 15 degrees have a warp shape each (S. Du, S.
// Zhang: Improving Texture Cache-Hit Rate of GPU-Based Ray Casting, 2016).
// Expect: a little faster than the best single shape in most views.
#include "cuda_check.h"
#include "volume.h"

namespace {

// 256 threads each. Warps are 32 x 1 pixels in the first four, then 16 x 2, 8 x 4, 4 x 8, 2 x 16
// and 1 x 32.
struct Shape {
  int width, height;
};
constexpr Shape kShapes[] = {{256, 1}, {128, 2}, {64, 4},  {32, 8}, {16, 16},
                             {8, 32},  {4, 64},  {2, 128}, {1, 256}};

// For each band of 15 degrees the element of kShapes, from horizontal to vertical: the six warp
// shapes. In the first band 32 x 8, not 256 x 1: its warps are the same.
constexpr int kOfBand[] = {3, 4, 5, 6, 7, 8};
constexpr float kBandDegrees = 15;

// By the angle between the image's rows and the volume's x axis, along which neighbours are nearest
// in memory. About x it stays 0; about z the axis turns in the image, and about y away from it,
// while the y axis, which is the next best one, stays vertical.
Shape shape_for(const VolumeView& view) {
  const float along = fabsf(view.right.x) / sqrtf(dot(view.right, view.right));
  const float degrees = acosf(fminf(along, 1)) * (180 / 3.14159265f);
  return kShapes[kOfBand[min(static_cast<int>(degrees / kBandDegrees), 5)]];
}

// One thread per pixel.
__global__ void render_volume_kernel(VolumeScene scene, float4* image) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= scene.view.width || row >= scene.view.height) return;
  const VolumeRay ray = volume_ray(scene.view, row, col);
  float4 pixel = make_float4(0, 0, 0, 1);
  float light = 1;
  for (int k = ray.first; k < ray.end && light >= kVolumeDark; ++k) {
    const Vec3 place = ray.origin + scene.view.forward * k;
    const float value = tex3D<float>(scene.volume, place.x, place.y, place.z);
    const float4 colour = tex1D<float4>(scene.transfer, value);
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
  const Shape shape = shape_for(scene.view);
  const dim3 grid(ceil_div(scene.view.width, shape.width),
                  ceil_div(scene.view.height, shape.height));
  const dim3 block(shape.width, shape.height);
  render_volume_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
