// verdict: =ok speed=0..1
// A graph made once, node by node; each call sets the kernel's arguments and launches the graph.
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
  void* arguments[] = {&n, &scale, &x, &y, &result};
  cudaKernelNodeParams node = {};
  node.func = reinterpret_cast<void*>(saxpy_kernel);
  node.gridDim = dim3(ceil_div(n, kBlockSize));
  node.blockDim = dim3(kBlockSize);
  node.kernelParams = arguments;
  static cudaGraphExec_t ready = nullptr;
  static cudaGraphNode_t kernel_node = nullptr;
  if (ready == nullptr) {
    static cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    CUDA_CHECK(cudaGraphAddKernelNode(&kernel_node, graph, nullptr, 0, &node));
    CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
  } else {
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(ready, kernel_node, &node));
  }
  CUDA_CHECK(cudaGraphLaunch(ready, nullptr));
}
