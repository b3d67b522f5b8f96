// Rung 3: a list of the rays that live on.
//
//   make check-stencil WITH=ladder/mirror/03_compaction.cu
//
// Idea: shade appends the rays worth following to the list of the next bounce, whose kernels give
// every entry a thread and read the list's length on the device. Expect: full warps in later
// bounces, so less time where some rays reflect; a list costs more than a bit where all do.
#include "stencil.h"

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 128;
constexpr unsigned kFullWarp = 0xffffffff;

// A thread per pixel. All rays are in the first list.
__global__ void generate_kernel(Scene scene, int width, int height, Ray* rays, unsigned* list,
                                unsigned* length, Vec3* image) {
  const int i = blockIdx.x * kBlockSize + threadIdx.x;
  if (i >= width * height) return;
  rays[i] = camera_ray(scene, i % width, i / width, width, height);
  list[i] = i;
  if (i == 0) *length = width * height;
  image[i] = {0, 0, 0};
}

// A thread per entry of the list.
__global__ void intersect_kernel(Scene scene, const unsigned* list, const unsigned* length,
                                 const Ray* rays, Hit* hits) {
  const unsigned k = blockIdx.x * kBlockSize + threadIdx.x;
  if (k >= *length) return;
  const unsigned i = list[k];
  hits[i] = intersect(scene, rays[i]);
}

// A thread per entry of the list; a block appends living rays to the next list.
__global__ void shade_kernel(Scene scene, const unsigned* list, const unsigned* length,
                             const Hit* hits, Ray* rays, unsigned* next_list, unsigned* next_length,
                             Vec3* image) {
  __shared__ unsigned living;
  __shared__ unsigned begin;
  const unsigned end = *length;
  if (blockIdx.x * kBlockSize >= end) return;  // the same for all threads of the block
  if (threadIdx.x == 0) living = 0;
  __syncthreads();  // the counter is 0

  const unsigned k = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned i = k < end ? list[k] : 0;
  bool active = k < end;
  if (active) {
    Ray ray = rays[i];
    Vec3 colour;
    active = shade(scene, hits[i], &ray, &colour);
    image[i] = image[i] + colour;
    if (active) rays[i] = ray;
  }
  const unsigned lane = threadIdx.x % 32;
  const unsigned word = __ballot_sync(kFullWarp, active);
  unsigned place = 0;
  if (lane == 0) place = atomicAdd(&living, __popc(word));
  place = __shfl_sync(kFullWarp, place, 0) + __popc(word & ((1u << lane) - 1));
  __syncthreads();  // all warps are counted
  if (threadIdx.x == 0) begin = atomicAdd(next_length, living);
  __syncthreads();  // the block has its piece of the list
  if (active) next_list[begin + place] = i;
}

}  // namespace

void mirror(const Scene& scene, int width, int height, int depth, Vec3* image,
            Workspace& workspace) {
  const int n = width * height;
  if (n == 0) return;
  Ray* rays = workspace.take<Ray>(n);
  Hit* hits = workspace.take<Hit>(n);
  unsigned* lists[2] = {workspace.take<unsigned>(n), workspace.take<unsigned>(n)};
  unsigned* lengths[2] = {workspace.take<unsigned>(1), workspace.take<unsigned>(1)};
  const int blocks = ceil_div(n, kBlockSize);
  generate_kernel<<<blocks, kBlockSize>>>(scene, width, height, rays, lists[0], lengths[0], image);
  CUDA_CHECK(cudaGetLastError());
  for (int bounce = 0; bounce < depth; ++bounce) {
    const int now = bounce % 2;
    const int next = 1 - now;
    CUDA_CHECK(cudaMemsetAsync(lengths[next], 0, sizeof(unsigned)));
    intersect_kernel<<<blocks, kBlockSize>>>(scene, lists[now], lengths[now], rays, hits);
    CUDA_CHECK(cudaGetLastError());
    shade_kernel<<<blocks, kBlockSize>>>(scene, lists[now], lengths[now], hits, rays, lists[next],
                                         lengths[next], image);
    CUDA_CHECK(cudaGetLastError());
  }
}
