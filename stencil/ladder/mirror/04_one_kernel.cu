// Rung 4: a thread follows its ray to the end.
//
//   make check-stencil WITH=ladder/mirror/04_one_kernel.cu
//
// Idea: what travels between the kernels of a wavefront, 44 bytes of ray and hit and a pixel, can
// stay in registers if a kernel does all bounces; and a warp leaves when the last ray is through.
// Expect: no launches in between and no memory but the scene's. The price: in later bounces the
// lanes of a warp stand idle as in rung 2. The rung pays while shading is as short as trace.h's.
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
  for (int bounce = 0; bounce < depth && active; ++bounce) {
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
