// verdict: =ok case=2^26 cpu-speed=0..0.3 gpu-speed=0..1
// A __managed__ variable instead of an allocation: the variable's pages move as well.
#include "saxpy.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kThreads = 12;
constexpr int kRoom = 1 << 21;

__managed__ float room[3 * kRoom];

// Calls copy(begin, end) for pieces of n elements, each in another thread.
template <class Copy>
void in_pieces(int n, Copy copy) {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    const auto edge = [&](int piece) { return static_cast<size_t>(n) * piece / kThreads; };
    threads[i] = std::thread(copy, edge(i), edge(i + 1));
  }
  for (std::thread& thread : threads)
    thread.join();
}

// A thread per element.
__global__ void saxpy_kernel(int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) room[2 * kRoom + i] = scale * room[i] + room[kRoom + i];
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  for (int first = 0; first < n; first += kRoom) {
    const int count = std::min(kRoom, n - first);
    in_pieces(count, [=](size_t begin, size_t end) {
      std::memcpy(room + begin, x + first + begin, (end - begin) * sizeof(float));
      std::memcpy(room + kRoom + begin, y + first + begin, (end - begin) * sizeof(float));
    });
    saxpy_kernel<<<ceil_div(count, kBlockSize), kBlockSize>>>(count, scale);
    CUDA_CHECK(cudaDeviceSynchronize());
    in_pieces(count, [=](size_t begin, size_t end) {
      std::memcpy(result + first + begin, room + 2 * kRoom + begin, (end - begin) * sizeof(float));
    });
  }
}
