// verdict: cpu=race gpu=ok,wrong speed=0..1
// Launches a graph into a stream that is never waited for.
#include "saxpy.h"

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
  static cudaStream_t late = nullptr;
  if (late == nullptr) CUDA_CHECK(cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CUDA_CHECK(cudaStreamBeginCapture(late, cudaStreamCaptureModeGlobal));
  saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize, 0, late>>>(n, scale, x, y, result);
  CUDA_CHECK(cudaStreamEndCapture(late, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  CUDA_CHECK(cudaGraphLaunch(ready, late));
  CUDA_CHECK(cudaGraphDestroy(graph));
}
