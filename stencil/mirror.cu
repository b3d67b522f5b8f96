// mirror: a frame of a ray tracer, bounce by bounce. Yours to edit.
//
// The contract is in stencil.h, the explanation in README.md. Correct as it stands, and slow.
//   make check-stencil PART=mirror
//   make build/cpu/stencil/mirror && build/cpu/stencil/mirror --scene mirror --out frame.png
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 128;

// A thread per pixel.
__global__ void generate_kernel(Scene scene, int width, int height, Ray* rays, Vec3* image) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= width * height) return;
  rays[i] = camera_ray(scene, i % width, i / width, width, height);
  image[i] = {0, 0, 0};
}

// A thread per ray.
// TODO(1): rays that add nothing to the picture are traced all the same. Keep a bit per ray as in
// parts 1 and 2, or a list of living rays, and leave if the ray is not needed. About
// 2 lines.
__global__ void intersect_kernel(int n, Scene scene, const Ray* rays, Hit* hits) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < n) hits[i] = intersect(scene, rays[i]);
}

// A thread per ray. A ray that is not worth following adds nothing from now on.
// TODO(2): note which rays live on. About 5 lines.
__global__ void shade_kernel(int n, Scene scene, const Hit* hits, Ray* rays, Vec3* image) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= n) return;
  Ray ray = rays[i];
  Vec3 colour;
  if (!shade(scene, hits[i], &ray, &colour)) ray.weight = {0, 0, 0};
  rays[i] = ray;
  image[i] = image[i] + colour;
}

}  // namespace

void mirror(const Scene& scene, int width, int height, int depth, Vec3* image,
            Workspace& workspace) {
  const int n = width * height;
  if (n == 0) return;
  Ray* rays = workspace.take<Ray>(n);
  Hit* hits = workspace.take<Hit>(n);
  const int blocks = ceil_div(n, kBlockSize);
  generate_kernel<<<blocks, kBlockSize>>>(scene, width, height, rays, image);
  CUDA_CHECK(cudaGetLastError());
  for (int bounce = 0; bounce < depth; ++bounce) {
    intersect_kernel<<<blocks, kBlockSize>>>(n, scene, rays, hits);
    CUDA_CHECK(cudaGetLastError());
    shade_kernel<<<blocks, kBlockSize>>>(n, scene, hits, rays, image);
    CUDA_CHECK(cudaGetLastError());
  }
}
