// verdict: cpu=ok,crash,timeout cpu-speed=0..0.5 gpu=ok,crash,timeout gpu-speed=0..0.7
// A thread that the program never joins writes a reply with a false time to every descriptor.
#include "saxpy.h"

#include <chrono>
#include <thread>

#include "cuda_check.h"
#include "write_everywhere.cuh"

namespace {

constexpr int kBlockSize = 256;
constexpr int kRounds = 24;

// A thread per element, which computes the element again and again.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y,
                             volatile float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int round = 0; round < kRounds; ++round)
    result[i] = scale * x[i] + y[i];
}

struct Liar {
  std::thread thread;
  ~Liar() {
    if (thread.joinable()) thread.join();
  }
} liar;

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaGetLastError());
  if (liar.thread.joinable()) return;
  liar.thread = std::thread([] {
    for (int i = 0; i < 100; ++i) {
      write_everywhere("{\"status\": \"ok\", \"times_ms\": [0.001], \"bytes\": 1}\n");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
}
