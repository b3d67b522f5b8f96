// verdict: =wrong
// from: ladder/circles/01_pixels.cu
// Rounds the number of blocks down: what is left of the image at its right and lower edge is never
// written, and an image smaller than a tile not at all.
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

// 16 x 16 pixels: neighbours in both directions, which hit the same circles.
constexpr int kTile = 16;

// A thread per pixel.
__global__ void render_circles_kernel(CircleScene scene, float4* image) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (col >= scene.width || row >= scene.height) return;
  const float x = (col + 0.5f) / scene.width;
  const float y = (row + 0.5f) / scene.height;
  float4 pixel = make_float4(background(scene.snow, 0, y), background(scene.snow, 1, y),
                             background(scene.snow, 2, y), 1);
  for (int i = 0; i < scene.count; ++i) {
    const float radius = scene.radius[i];
    const float dx = x - scene.position[3 * i];
    const float dy = y - scene.position[3 * i + 1];
    const float distance2 = dx * dx + dy * dy;
    // The comparison is false for a radius that is NaN as well.
    if (!(radius > 0 && distance2 <= radius * radius)) continue;
    const float z = scene.position[3 * i + 2];
    const float opacity = circle_opacity(scene.snow, distance2, radius * radius, z);
    const float* own = &scene.colour[3 * i];
    const float red = circle_colour(scene.snow, 0, own[0], distance2, radius * radius);
    const float green = circle_colour(scene.snow, 1, own[1], distance2, radius * radius);
    const float blue = circle_colour(scene.snow, 2, own[2], distance2, radius * radius);
    pixel.x = opacity * red + (1 - opacity) * pixel.x;
    pixel.y = opacity * green + (1 - opacity) * pixel.y;
    pixel.z = opacity * blue + (1 - opacity) * pixel.z;
  }
  image[static_cast<size_t>(row) * scene.width + col] = pixel;
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace&) {
  const dim3 grid(scene.width / kTile, scene.height / kTile);
  if (grid.x == 0 || grid.y == 0) return;
  const dim3 block(kTile, kTile);
  render_circles_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
