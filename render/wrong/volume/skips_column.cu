// verdict: =wrong
// from: ladder/volume/03_square.cu
// Right but for a column: the middle is never drawn.
#include "cuda_check.h"
#include "volume.h"

namespace {

constexpr int kBlockWidth = 16;
constexpr int kBlockHeight = 16;

// A thread per pixel.
__global__ void render_volume_kernel(VolumeScene scene, float4* image) {
  const int col = blockIdx.x * kBlockWidth + threadIdx.x;
  const int row = blockIdx.y * kBlockHeight + threadIdx.y;
  if (col == scene.view.width / 2) return;
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
  const dim3 grid(ceil_div(scene.view.width, kBlockWidth),
                  ceil_div(scene.view.height, kBlockHeight));
  const dim3 block(kBlockWidth, kBlockHeight);
  render_volume_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
