// An experiment beside rung 1: the same, with the circles staged in shared memory.
//
//   make check-render PART=circles CASE=rand10k WITH=figures/circles_staged.cu
//
// A block of 256 threads loads 256 circles, an access for each value of a circle. Every thread then
// reads all of them from shared memory. Rung 1 reads each circle from device memory, all lanes of a
// warp from one address.
// Expect: right, and nearly as slow as rung 1. Each pixel still tests every circle.
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

constexpr int kTile = 16;
constexpr int kStaged = kTile * kTile;

struct Circle {
  float x, y, z, radius;
};

// A thread per pixel.
__global__ void render_circles_kernel(CircleScene scene, float4* image) {
  __shared__ Circle staged[kStaged];
  __shared__ float colours[3 * kStaged];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const float x = (col + 0.5f) / scene.width;
  const float y = (row + 0.5f) / scene.height;
  float4 pixel = make_float4(background(scene.snow, 0, y), background(scene.snow, 1, y),
                             background(scene.snow, 2, y), 1);
  for (int first = 0; first < scene.count; first += kStaged) {
    const int count = min(kStaged, scene.count - first);
    if (thread < count) {
      const int i = first + thread;
      staged[thread] = {scene.position[3 * i], scene.position[3 * i + 1], scene.position[3 * i + 2],
                        scene.radius[i]};
      for (int channel = 0; channel < 3; ++channel)
        colours[3 * thread + channel] = scene.colour[3 * i + channel];
    }
    __syncthreads();  // the circles are complete
    for (int i = 0; i < count; ++i) {
      const Circle circle = staged[i];
      const float dx = x - circle.x;
      const float dy = y - circle.y;
      const float distance2 = dx * dx + dy * dy;
      const float radius2 = circle.radius * circle.radius;
      // The comparison is false for a radius that is NaN as well.
      if (!(circle.radius > 0 && distance2 <= radius2)) continue;
      const float opacity = circle_opacity(scene.snow, distance2, radius2, circle.z);
      const float* own = &colours[3 * i];
      const float red = circle_colour(scene.snow, 0, own[0], distance2, radius2);
      const float green = circle_colour(scene.snow, 1, own[1], distance2, radius2);
      const float blue = circle_colour(scene.snow, 2, own[2], distance2, radius2);
      pixel.x = opacity * red + (1 - opacity) * pixel.x;
      pixel.y = opacity * green + (1 - opacity) * pixel.y;
      pixel.z = opacity * blue + (1 - opacity) * pixel.z;
    }
    __syncthreads();  // the circles have been drawn
  }
  if (col < scene.width && row < scene.height) {
    image[static_cast<size_t>(row) * scene.width + col] = pixel;
  }
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace&) {
  const dim3 grid(ceil_div(scene.width, kTile), ceil_div(scene.height, kTile));
  const dim3 block(kTile, kTile);
  render_circles_kernel<<<grid, block>>>(scene, image);
  CUDA_CHECK(cudaGetLastError());
}
