// Rung 6: along the slices.
//
//   make check-render WITH=ladder/volume/06_slices.cu
//
// Idea: measured on an H200, what matters is z alone. Voxels of a slice lie near each other,
// whether they differ in x or in y; the next slice is far away. So a warp is a row of pixels or a
// column, whichever changes z less.
// Expect: never slower than 16 x 16, and 1.1 to 1.2 times as fast about y.
#include "cuda_check.h"
#include "volume.h"

namespace {

struct Shape {
  int width, height;
};
constexpr Shape kSquare = {16, 16};
constexpr Shape kHorizontal = {256, 1};
constexpr Shape kVertical = {1, 256};
// Of the distance between pixels.
constexpr float kAlike = 0.1f;
constexpr float kAlong = 0.99f;

// The direction of the image in which neighbours stay in a slice, or nearly: z changes least. Where
// z changes alike in both, no shape is better than a square. Nor where a direction is z itself and
// a pixel is a voxel wide: then a square of pixels is a square of voxels, and faster by 1 to 2 % at
// 1024^3.
Shape shape_for(const VolumeView& view) {
  const float right = fabsf(view.right.z);
  const float down = fabsf(view.down.z);
  const float distance = sqrtf(dot(view.right, view.right));
  if (fabsf(right - down) < kAlike * distance) return kSquare;
  if (distance > kAlong && fmaxf(right, down) > kAlong * distance) return kSquare;
  return right > down ? kVertical : kHorizontal;
}

// A thread per pixel.
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
