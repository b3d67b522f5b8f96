// volume, as fast as we know.
//
//   make check-render PART=volume WITH=solution
//
// Rung 7, and voxels are read eight at a time, and the transfer function lies in shared memory.
#include <math_constants.h>

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

// Bricks of 8 x 8 x 8 places between voxel centres: a sample in brick (i, j, k) lies between voxels
// from 8 i to 8 i + 8, and so on.
constexpr int kBrick = 8;

__host__ __device__ int bricks_per_side(const VolumeView& view) {
  return view.size / kBrick;
}

// 32 bricks along x for each block, and a slice of their voxels for each row of threads. A thread
// reads eight voxels at once, and the next voxel.
constexpr int kBricksPerBlock = 32;
constexpr int kSlices = kBrick + 1;
constexpr unsigned kFourBytes = 0x01010101;  // times a byte: four copies of the byte
__global__ void find_bricks_kernel(VolumeScene scene, unsigned char* shows) {
  static_assert(kBrick == sizeof(uint2));
  __shared__ bool found[kSlices][kBricksPerBlock];
  const int size = scene.view.size;
  const int bricks = bricks_per_side(scene.view);
  const int last = size - 1;
  const int brick = blockIdx.x * kBricksPerBlock + threadIdx.x;
  const int slice = min(blockIdx.z * kBrick + threadIdx.y, last);
  const unsigned limit = scene.transparent * kFourBytes;
  unsigned mine = 0;
  if (brick < bricks) {
    const int behind = min((brick + 1) * kBrick, last);
#pragma unroll
    for (int j = 0; j <= kBrick; ++j) {
      const int row = min(blockIdx.y * kBrick + j, last);
      const unsigned char* voxels = scene.voxels + (static_cast<size_t>(slice) * size + row) * size;
      // Aligned, because `size` is a multiple of 16.
      const uint2 eight = reinterpret_cast<const uint2*>(voxels)[brick];
      mine |= __vcmpgtu4(eight.x, limit) | __vcmpgtu4(eight.y, limit);
      mine |= voxels[behind] > scene.transparent;
    }
  }
  found[threadIdx.y][threadIdx.x] = mine != 0;
  __syncthreads();  // all slices have been searched
  if (threadIdx.y > 0 || brick >= bricks) return;
  bool any = false;
  for (const auto& in_slice : found)
    any |= in_slice[threadIdx.x];
  shows[(blockIdx.z * bricks + blockIdx.y) * bricks + brick] = any;
}

// The transfer function in shared memory: an entry, and what is to be added on the way to the
// next entry. Lanes whose samples look alike read the same entry, which is no conflict.
struct Segment {
  float4 from;
  float4 change;
};

__device__ void load_transfer(const VolumeScene& scene, Segment* segments) {
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < kVolumeColours;
       i += blockDim.x * blockDim.y) {
    const float4 a = scene.table[i];
    const float4 b = scene.table[min(i + 1, kVolumeColours - 1)];
    segments[i] = {a, make_float4(b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w)};
  }
}

// Colour and opacity of a value.
__device__ float4 transfer(const Segment* segments, float value) {
  const float place = fmaxf(value * kVolumeColours - 0.5f, 0);
  const int entry = static_cast<int>(place);
  const float part = place - entry;
  const float4 from = segments[entry].from;
  const float4 change = segments[entry].change;
  return make_float4(from.x + part * change.x, from.y + part * change.y, from.z + part * change.z,
                     from.w + part * change.w);
}

// The brick along an axis of a place on a ray, and how many samples further on the ray leaves.
__device__ int find_brick(float place, float forward, int bricks, float* leaves_in) {
  const int brick = min(max(static_cast<int>(place - 0.5f), 0) / kBrick, bricks - 1);
  const float end = (forward > 0 ? brick + 1 : brick) * kBrick + 0.5f;
  *leaves_in = forward == 0 ? CUDART_INF_F : (end - place) / forward;
  return brick;
}

// A thread per pixel.
__global__ void render_volume_kernel(VolumeScene scene, const unsigned char* shows, float4* image) {
  __shared__ Segment segments[kVolumeColours];
  load_transfer(scene, segments);
  __syncthreads();  // all entries have been written
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= scene.view.width || row >= scene.view.height) return;
  const int bricks = bricks_per_side(scene.view);
  const Vec3 forward = scene.view.forward;
  const VolumeRay ray = volume_ray(scene.view, row, col);
  float4 pixel = make_float4(0, 0, 0, 1);
  float light = 1;
  for (int k = ray.first; k < ray.end && light >= kVolumeDark;) {
    const Vec3 place = ray.origin + forward * k;
    float in_x, in_y, in_z;
    const int brick_x = find_brick(place.x, forward.x, bricks, &in_x);
    const int brick_y = find_brick(place.y, forward.y, bricks, &in_y);
    const int brick_z = find_brick(place.z, forward.z, bricks, &in_z);
    // The jump is at least one sample: rounding may place a sample on the brick's far face.
    const int samples = max(1, static_cast<int>(ceilf(fminf(in_x, fminf(in_y, in_z)))));
    const int end = min(k + samples, ray.end);
    if (!shows[(brick_z * bricks + brick_y) * bricks + brick_x]) {
      k = end;
      continue;
    }
    for (; k < end && light >= kVolumeDark; ++k) {
      const Vec3 next = ray.origin + forward * k;
      const float value = tex3D<float>(scene.volume, next.x, next.y, next.z);
      const float4 colour = transfer(segments, value);
      const float share = light * colour.w;
      pixel.x += share * colour.x;
      pixel.y += share * colour.y;
      pixel.z += share * colour.z;
      light -= share;
    }
  }
  image[static_cast<size_t>(row) * scene.view.width + col] = pixel;
}

}  // namespace

void render_volume(const VolumeScene& scene, float4* image, Workspace& workspace) {
  const int bricks = bricks_per_side(scene.view);
  auto* shows = workspace.take<unsigned char>(static_cast<size_t>(bricks) * bricks * bricks);
  find_bricks_kernel<<<dim3(ceil_div(bricks, kBricksPerBlock), bricks, bricks),
                       dim3(kBricksPerBlock, kSlices)>>>(scene, shows);
  CUDA_CHECK(cudaGetLastError());
  const Shape shape = shape_for(scene.view);
  const dim3 grid(ceil_div(scene.view.width, shape.width),
                  ceil_div(scene.view.height, shape.height));
  const dim3 block(shape.width, shape.height);
  render_volume_kernel<<<grid, block>>>(scene, shows, image);
  CUDA_CHECK(cudaGetLastError());
}
