// verdict: cpu=ok gpu=wrong speed=0..1
// Replays the graph of the first call of the same size, with the scale of the first call.
#include "saxpy.h"

#include <map>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

}  // namespace

void saxpy(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  static std::map<int, cudaGraphExec_t> known;
  cudaGraphExec_t& ready = known[n];
  if (ready == nullptr) {
    cudaStream_t stream;
    cudaGraph_t graph;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize, 0, stream>>>(n, scale, x, y, result);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  }
  CUDA_CHECK(cudaGraphLaunch(ready, nullptr));
}
