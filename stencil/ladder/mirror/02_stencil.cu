// Rung 2: a stencil: a bit per ray, tested before and written after each bounce.
//
//   make check-stencil WITH=ladder/mirror/02_stencil.cu
//
// Idea: parts 1 and 2. intersect tests a ray's bit before it reads the ray; shade gathers the
// living rays by a ballot. Expect: later bounces cost next to nothing where nothing reflects. A
// warp in which a single ray lives on still takes the ray's time.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 128;
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per pixel, a warp per word of the stencil.
__global__ void generate_kernel(Scene scene, int width, int height, Ray* rays, unsigned* alive,
                                Vec3* image) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  const bool inside = i < width * height;
  const unsigned word = __ballot_sync(kFullWarp, inside);
  if (!inside) return;
  if (i % 32 == 0) alive[i / 32] = word;
  rays[i] = camera_ray(scene, i % width, i / width, width, height);
  image[i] = {0, 0, 0};
}

// A thread per ray.
__global__ void intersect_kernel(int n, Scene scene, const unsigned* alive, const Ray* rays,
                                 Hit* hits) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n || (alive[i / 32] & 1u << i % 32) == 0) return;
  hits[i] = intersect(scene, rays[i]);
}

// A thread per ray, a warp per word of the stencil.
__global__ void shade_kernel(int n, Scene scene, const Hit* hits, unsigned* alive, Ray* rays,
                             Vec3* image) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned before = i / 32 < (n + 31) / 32 ? alive[i / 32] : 0;
  if (before == 0) return;  // the same for all lanes
  bool active = (before & 1u << i % 32) != 0;
  if (active) {
    Ray ray = rays[i];
    Vec3 colour;
    active = shade(scene, hits[i], &ray, &colour);
    image[i] = image[i] + colour;
    if (active) rays[i] = ray;
  }
  const unsigned after = __ballot_sync(kFullWarp, active);
  __syncwarp();  // all lanes have read the old word: a ballot orders no memory
  if (i % 32 == 0) alive[i / 32] = after;
}

}  // namespace

void mirror(const Scene& scene, int width, int height, int depth, Vec3* image,
            Workspace& workspace) {
  const int n = width * height;
  if (n == 0) return;
  Ray* rays = workspace.take<Ray>(n);
  Hit* hits = workspace.take<Hit>(n);
  unsigned* alive = workspace.take<unsigned>(ceil_div(n, 32));
  const int blocks = ceil_div(n, kBlockSize);
  generate_kernel<<<blocks, kBlockSize>>>(scene, width, height, rays, alive, image);
  CUDA_CHECK(cudaGetLastError());
  for (int bounce = 0; bounce < depth; ++bounce) {
    intersect_kernel<<<blocks, kBlockSize>>>(n, scene, alive, rays, hits);
    CUDA_CHECK(cudaGetLastError());
    shade_kernel<<<blocks, kBlockSize>>>(n, scene, hits, alive, rays, image);
    CUDA_CHECK(cudaGetLastError());
  }
}
