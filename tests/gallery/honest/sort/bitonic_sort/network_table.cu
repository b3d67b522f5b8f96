// verdict: =ok speed=0..1
// The network's steps as a list on the host, made by a generator with a callback; any n by flips.
#include <functional>
#include <vector>
#include "cuda_check.h"
#include "sort.h"
#include "total_order.h"
namespace {
constexpr int kThreads = 256;
struct Step {
  int width, distance;
  bool flip;
};
void steps_of(int n, const std::function<void(Step)>& take) {
  for (long width = 2; width / 2 < n; width *= 2)
    for (long distance = width / 2; distance > 0; distance /= 2)
      take({int(width), int(distance), distance == width / 2});
}
__device__ unsigned order_of(float key) {
  const unsigned bits = __float_as_uint(key);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
__global__ void step_kernel(float* keys, unsigned* indices, int n, Step step) {
  const int t = blockIdx.x * kThreads + threadIdx.x;
  const int low = t / step.distance * 2 * step.distance + t % step.distance;
  const int high = step.flip ? (t / step.distance + 1) * 2 * step.distance - 1 - t % step.distance
                             : low + step.distance;
  if (high >= n || high < 0) return;
  const float a = keys[low], b = keys[high];
  if (order_of(a) > order_of(b)) {
    keys[low] = b;
    keys[high] = a;
    const unsigned i = indices[low];
    indices[low] = indices[high];
    indices[high] = i;
  }
}
}  // namespace
void bitonic_sort(float* keys, unsigned* indices, int n, Workspace&) {
  std::vector<Step> steps;
  steps_of(n, [&](Step s) { steps.push_back(s); });
  long padded = 1;
  while (padded < n)
    padded *= 2;
  for (const Step& s : steps)
    step_kernel<<<int((padded / 2 + kThreads - 1) / kThreads), kThreads>>>(keys, indices, n, s);
  CUDA_CHECK(cudaGetLastError());
}
