// A list per tile is drawn before all threads have written, and so holds any number.
// case: rgb 64x64
// sanitize: race {file}:
// sanitize: this may follow from the race at
// check: and no __syncthreads() stands between
// not in check: is the index checked against the size?
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

constexpr int kTile = 16;
constexpr int kBlockSize = kTile * kTile;

__global__ void render_circles_kernel(CircleScene scene, float4* image) {
  __shared__ int hits[kBlockSize];
  __shared__ int list[kBlockSize];
  __shared__ int count;
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const float x = (col + 0.5f) / scene.width;
  const float y = (row + 0.5f) / scene.height;
  float4 pixel = make_float4(background(scene.snow, 0, y), background(scene.snow, 1, y),
                             background(scene.snow, 2, y), 1);
  for (int first = 0; first < scene.count; first += kBlockSize) {
    hits[thread] = first + thread < scene.count;
    __syncthreads();
    int place = 0;
    for (int t = 0; t < thread; ++t)
      place += hits[t];
    if (hits[thread]) list[place] = first + thread;
    if (thread == 0) count = min(kBlockSize, scene.count - first);
    for (int k = 0; k < count; ++k) {
      const int i = list[k];
      const float dx = x - scene.position[3 * i];
      const float dy = y - scene.position[3 * i + 1];
      const float radius = scene.radius[i];
      const float distance2 = dx * dx + dy * dy;
      if (distance2 > radius * radius) continue;
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
  }
  if (col < scene.width && row < scene.height) {
    image[static_cast<size_t>(row) * scene.width + col] = pixel;
  }
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace&) {
  const dim3 grid(ceil_div(scene.width, kTile), ceil_div(scene.height, kTile));
  render_circles_kernel<<<grid, dim3(kTile, kTile)>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
