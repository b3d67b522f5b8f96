// Rung 4: nine shapes of a block.
//
//   make check-render WITH=ladder/volume/04_shapes.cu
//   build/gpu/render/ladder/volume/04_shapes --volume 512 --size 1024 --axis y --frame 90 --shape 0
//
// Idea: 256 threads can be 256 x 1 pixels, 1 x 256, and seven shapes between. The option --shape
// takes a shape of the nine, to see which is the fastest for a view.
// Expect: no shape that is the best for all views.
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
constexpr int kShapeCount = sizeof kShapes / sizeof kShapes[0];
constexpr int kBestShape = 5;  // 8 x 32, over all views

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
  // The option --shape, for experiments.
  const bool wanted = scene.shape >= 0 && scene.shape < kShapeCount;
  const Shape shape = kShapes[wanted ? scene.shape : kBestShape];
  const dim3 grid(ceil_div(scene.view.width, shape.width),
                  ceil_div(scene.view.height, shape.height));
  const dim3 block(shape.width, shape.height);
  render_volume_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
