// verdict: =wrong
// from: ladder/mirror/04_one_kernel.cu
// Follows a ray over depth - 1 surfaces: what is seen in the last mirror is missing.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 128;

// A thread per pixel.
__global__ void trace_kernel(Scene scene, int width, int height, int depth, Vec3* image) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= width * height) return;
  Ray ray = camera_ray(scene, i % width, i / width, width, height);
  Vec3 sum = {0, 0, 0};
  bool active = true;
  for (int bounce = 0; bounce < depth - 1 && active; ++bounce) {
    Vec3 colour;
    active = shade(scene, intersect(scene, ray), &ray, &colour);
    sum = sum + colour;
  }
  image[i] = sum;
}

}  // namespace

void mirror(const Scene& scene, int width, int height, int depth, Vec3* image, Workspace&) {
  const int n = width * height;
  if (n == 0) return;
  trace_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(scene, width, height, depth, image);
  CUDA_CHECK(cudaGetLastError());
}
