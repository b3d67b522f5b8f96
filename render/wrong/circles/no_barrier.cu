// verdict: cpu=race,wrong,cuda_error,uninitialised,bad_access gpu=wrong,cuda_error,ok
// from: ladder/circles/02_tiles.cu
// Draws from the list without waiting until all threads have put their circles in.
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

constexpr int kTile = 16;
constexpr int kBlockSize = kTile * kTile;
constexpr int kWarps = kBlockSize / 32;

// The centres of a tile's outermost pixels.
struct Box {
  float left, right, top, bottom;
};
__device__ Box tile_box(const CircleScene& scene) {
  const int col = blockIdx.x * kTile;
  const int row = blockIdx.y * kTile;
  return {(col + 0.5f) / scene.width, (col + kTile - 0.5f) / scene.width,
          (row + 0.5f) / scene.height, (row + kTile - 0.5f) / scene.height};
}

// Can circle i touch a pixel of the box? No, if the square around the circle does not.
__device__ bool touches(const CircleScene& scene, int i, const Box& box) {
  const float radius = scene.radius[i];
  const float x = scene.position[3 * i];
  const float y = scene.position[3 * i + 1];
  return radius > 0 && x + radius >= box.left && x - radius <= box.right && y + radius >= box.top &&
         y - radius <= box.bottom;
}

// An exclusive scan: how many threads before the calling thread have `flag` set, and how many in
// `total` altogether. All threads of the block take part.
__device__ int count_before(bool flag, int thread, int* total) {
  __shared__ int in_warp[kWarps];
  const unsigned flags = __ballot_sync(0xFFFFFFFF, flag);
  const int warp = thread / 32;
  const int lane = thread % 32;
  if (lane == 0) in_warp[warp] = __popc(flags);
  // Every warp adds up the counts of all.
  __syncthreads();
  int before = __popc(flags & ((1u << lane) - 1));
  *total = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) before += in_warp[w];
    *total += in_warp[w];
  }
  return before;
}

// Blends circle i into the pixel at (x, y) if the circle covers the pixel.
__device__ void draw(const CircleScene& scene, int i, float x, float y, float4& pixel) {
  const float radius = scene.radius[i];
  const float dx = x - scene.position[3 * i];
  const float dy = y - scene.position[3 * i + 1];
  const float distance2 = dx * dx + dy * dy;
  if (distance2 > radius * radius) return;
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

// A block of kTile x kTile threads per tile: a thread tests circles while the list is made, and
// then draws a pixel. Threads outside of the image take part, as every barrier needs all threads.
__global__ void render_circles_kernel(CircleScene scene, float4* image) {
  __shared__ int list[kBlockSize];
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const float x = (col + 0.5f) / scene.width;
  const float y = (row + 0.5f) / scene.height;
  const Box box = tile_box(scene);
  float4 pixel = make_float4(background(scene.snow, 0, y), background(scene.snow, 1, y),
                             background(scene.snow, 2, y), 1);

  for (int first = 0; first < scene.count; first += kBlockSize) {
    const int i = first + thread;
    const bool hit = i < scene.count && touches(scene, i, box);
    int hits;
    const int place = count_before(hit, thread, &hits);
    if (hit) list[place] = i;
    for (int k = 0; k < hits; ++k)
      draw(scene, list[k], x, y, pixel);
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
