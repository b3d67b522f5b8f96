// circles: transparent circles, drawn in order. Yours to edit.
//
// The contract is in render.h, what a circle does to a pixel in circle_shading.h, the explanation
// in README.md.
//   make check-render PART=circles                                               grades it
//   make build/cpu/render/circles build/judge/render && \
//     build/cpu/render/circles --scene rgb --size 256 --out circles.png          draws a picture
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

constexpr int kTile = 16;

// A thread per pixel.
// TODO(1): blend every circle that covers the pixel's centre into the pixel's colour, in order of
// the index (about 12 lines). Then climb on: which circles can touch the 16 x 16 pixels of a block?
__global__ void render_circles_kernel(CircleScene scene, float4* image) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (col >= scene.width || row >= scene.height) return;
  const float y = (row + 0.5f) / scene.height;
  const float4 pixel = make_float4(background(scene.snow, 0, y), background(scene.snow, 1, y),
                                   background(scene.snow, 2, y), 1);
  image[static_cast<size_t>(row) * scene.width + col] = pixel;
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace& workspace) {
  const dim3 grid(ceil_div(scene.width, kTile), ceil_div(scene.height, kTile));
  const dim3 block(kTile, kTile);
  render_circles_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
