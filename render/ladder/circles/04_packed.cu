// Rung 4: circles packed into float4.
//
//   make check-render WITH=ladder/circles/04_packed.cu
//
// Idea: what a test needs, x, y and the square of the radius, comes with a load of 16 bytes
// instead of three loads, two strided. A small kernel packs the numbers first, and the colours as
// well. And the list holds the packed circles, not the indices: what all 256 threads of the block
// are about to read is fetched from memory once.
// Expect: fewer requests. The price is another launch and 32 bytes written per circle, which
// a scene of three circles will not get back.
#include "circle_shading.h"
#include "cuda_check.h"
#include "render.h"

namespace {

constexpr int kTile = 16;
constexpr int kBlockSize = kTile * kTile;
constexpr int kWarps = kBlockSize / 32;
constexpr int kListSize = 4 * kBlockSize;

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

// A circle in two vectors.
struct PackedCircle {
  float4 shape;   // x, y, radius^2 or -1 if it covers nothing, z
  float4 colour;  // the fourth value is not used
};

// A thread per circle.
constexpr int kPackBlockSize = 256;
__global__ void pack_kernel(CircleScene scene, float4* shapes, float4* colours) {
  const int i = blockIdx.x * kPackBlockSize + threadIdx.x;
  if (i >= scene.count) return;
  const float radius = scene.radius[i];
  const float* position = &scene.position[3 * i];
  const float* colour = &scene.colour[3 * i];
  shapes[i] = make_float4(position[0], position[1], radius > 0 ? radius * radius : -1, position[2]);
  colours[i] = make_float4(colour[0], colour[1], colour[2], 0);
}

// Does the circle touch the box? Yes, if the box's nearest point is inside. With the arithmetic
// of draw(): rounding cannot cull a circle that draw() would find to cover a pixel.
__device__ bool touches(const float4& shape, const Box& box) {
  const float dx = fminf(fmaxf(shape.x, box.left), box.right) - shape.x;
  const float dy = fminf(fmaxf(shape.y, box.top), box.bottom) - shape.y;
  return dx * dx + dy * dy <= shape.z;
}

// An exclusive scan: how many threads before the calling thread have `flag` set, and how many in
// `total` altogether. All threads of the block take part; `in_warp` holds kWarps numbers of shared
// memory, others than the call before.
__device__ int count_before(bool flag, int thread, int* in_warp, int* total) {
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

// Blends the circle into the pixel at (x, y) if the circle covers the pixel.
__device__ void draw(const PackedCircle& circle, bool snow, float x, float y, float4& pixel) {
  const float dx = x - circle.shape.x;
  const float dy = y - circle.shape.y;
  const float distance2 = dx * dx + dy * dy;
  if (distance2 > circle.shape.z) return;
  const float opacity = circle_opacity(snow, distance2, circle.shape.z, circle.shape.w);
  const float red = circle_colour(snow, 0, circle.colour.x, distance2, circle.shape.z);
  const float green = circle_colour(snow, 1, circle.colour.y, distance2, circle.shape.z);
  const float blue = circle_colour(snow, 2, circle.colour.z, distance2, circle.shape.z);
  pixel.x = opacity * red + (1 - opacity) * pixel.x;
  pixel.y = opacity * green + (1 - opacity) * pixel.y;
  pixel.z = opacity * blue + (1 - opacity) * pixel.z;
}

// A block of kTile x kTile threads per tile: a thread tests circles while the list is made, and
// then draws a pixel. Threads outside of the image take part, as every barrier needs all threads.
__global__ void render_circles_kernel(CircleScene scene, const float4* shapes,
                                      const float4* colours, float4* image) {
  __shared__ PackedCircle list[kListSize];
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const float x = (col + 0.5f) / scene.width;
  const float y = (row + 0.5f) / scene.height;
  const Box box = tile_box(scene);
  float4 pixel = make_float4(background(scene.snow, 0, y), background(scene.snow, 1, y),
                             background(scene.snow, 2, y), 1);

  // Two sets of counts in turn: while slow threads read a set, fast threads write the other.
  __shared__ int in_warp[2][kWarps];
  int round = 0;
  int listed = 0;  // the same in all threads
  for (int first = 0; first < scene.count; first += kBlockSize) {
    const int i = first + thread;
    const float4 shape = i < scene.count ? shapes[i] : make_float4(0, 0, -1, 0);
    const bool hit = touches(shape, box);
    int hits;
    const int place = count_before(hit, thread, in_warp[round++ % 2], &hits);
    if (hit) list[listed + place] = {shape, colours[i]};
    listed += hits;
    const bool last_round = first + kBlockSize >= scene.count;
    if (listed + kBlockSize <= kListSize && !last_round) continue;
    // The list is complete before any thread draws from it. The next barrier in count_before lets
    // all threads finish drawing before the list is overwritten.
    __syncthreads();
    for (int k = 0; k < listed; ++k)
      draw(list[k], scene.snow, x, y, pixel);
    listed = 0;
  }
  if (col < scene.width && row < scene.height) {
    image[static_cast<size_t>(row) * scene.width + col] = pixel;
  }
}

}  // namespace

void render_circles(const CircleScene& scene, float4* image, Workspace& workspace) {
  float4* shapes = workspace.take<float4>(scene.count);
  float4* colours = workspace.take<float4>(scene.count);
  if (scene.count > 0) {
    pack_kernel<<<ceil_div(scene.count, kPackBlockSize), kPackBlockSize>>>(scene, shapes, colours);
    CUDA_CHECK(cudaGetLastError());
  }
  const dim3 grid(ceil_div(scene.width, kTile), ceil_div(scene.height, kTile));
  const dim3 block(kTile, kTile);
  render_circles_kernel<<<grid, block>>>(scene, shapes, colours, image);
  CUDA_CHECK(cudaGetLastError());
}
