// Rung 1: every ray in every bounce.
//
//   make check-stencil WITH=ladder/mirror/01_every_ray.cu
//
// Idea: a wavefront tracer: the same three kernels for all rays, bounce after bounce, with the rays
// in memory in between. A ray that has left the scene or met a diffuse surface brings nothing any
// more, and is traced all the same. Expect: a frame takes depth times as long as a bounce, whether
// anything reflects or not.
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
__global__ void intersect_kernel(int n, Scene scene, const Ray* rays, Hit* hits) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i < n) hits[i] = intersect(scene, rays[i]);
}

// A thread per ray. A ray that is not worth following adds nothing from now on.
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
