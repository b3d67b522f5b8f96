// verdict: cpu=race,wrong gpu=wrong
// from: circles.cu, 52 lines: the threads share the work by circles
// A thread per circle, as the serial program's outer loop suggests. Nothing orders the circles of
// a pixel, and where two threads blend into a pixel at the same time, a circle is lost.
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

constexpr int kTile = 16;
constexpr int kBlockSize = 256;

// A thread per pixel.
__global__ void clear_kernel(CircleScene scene, float4* image) {
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  if (col >= scene.width || row >= scene.height) return;
  const float y = (row + 0.5f) / scene.height;
  image[static_cast<size_t>(row) * scene.width + col] = make_float4(
      background(scene.snow, 0, y), background(scene.snow, 1, y), background(scene.snow, 2, y), 1);
}

// The first pixel whose centre is not left of, or above, a coordinate.
__device__ int first_pixel(float coordinate, int n) {
  return static_cast<int>(fminf(fmaxf(ceilf(coordinate * n - 0.5f), 0), n));
}

// A thread per circle.
__global__ void draw_kernel(CircleScene scene, float4* image) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= scene.count) return;
  const float radius = scene.radius[i];
  if (!(radius > 0)) return;
  const float* position = &scene.position[3 * i];
  const float* own = &scene.colour[3 * i];
  const int first_row = first_pixel(position[1] - radius, scene.height);
  const int first_col = first_pixel(position[0] - radius, scene.width);
  for (int row = first_row; row < scene.height; ++row) {
    const float dy = (row + 0.5f) / scene.height - position[1];
    if (dy > radius) break;
    for (int col = first_col; col < scene.width; ++col) {
      const float dx = (col + 0.5f) / scene.width - position[0];
      if (dx > radius) break;
      const float distance2 = dx * dx + dy * dy;
      if (distance2 > radius * radius) continue;
      const float opacity = circle_opacity(scene.snow, distance2, radius * radius, position[2]);
      float4& pixel = image[static_cast<size_t>(row) * scene.width + col];
      const float red = circle_colour(scene.snow, 0, own[0], distance2, radius * radius);
      const float green = circle_colour(scene.snow, 1, own[1], distance2, radius * radius);
      const float blue = circle_colour(scene.snow, 2, own[2], distance2, radius * radius);
      pixel.x = opacity * red + (1 - opacity) * pixel.x;
      pixel.y = opacity * green + (1 - opacity) * pixel.y;
      pixel.z = opacity * blue + (1 - opacity) * pixel.z;
    }
  }
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace&) {
  const dim3 grid(ceil_div(scene.width, kTile), ceil_div(scene.height, kTile));
  const dim3 block(kTile, kTile);
  clear_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
  if (scene.count == 0) return;
  draw_kernel<<<ceil_div(scene.count, kBlockSize), kBlockSize>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
