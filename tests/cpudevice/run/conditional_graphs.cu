// Conditional nodes of graphs: if, else, while, switch, nested loops, by hand and by capture
// expect: done
// stderr: a graph with conditional nodes cannot be cloned
// stderr: a child graph cannot have conditional nodes
// stderr: may hold only kernels
// stderr: there is no such conditional handle
#include <string>

#include "check.h"

__global__ void set_kernel(const int* from, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(*from));
}
__global__ void add_kernel(int* x, int value) {
  *x += value;
}
// Counts down; the condition holds until the count is 0.
__global__ void count_down_kernel(int* left, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, --*left > 0);
}

// Adds a single-thread kernel after `after`, which may be null.
template <typename... Arguments>
cudaGraphNode_t add_kernel_node(cudaGraph_t graph, cudaGraphNode_t after, void* kernel,
                                Arguments... values) {
  void* arguments[] = {static_cast<void*>(&values)...};
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = kernel;
  p.kernel.gridDim = p.kernel.blockDim = 1;
  p.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK_OK(cudaGraphAddNode(&node, graph, &after, nullptr, after ? 1 : 0, &p));
  return node;
}

cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, unsigned size) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  return p;
}

int *value, *result;  // managed

// Returns a graph's sums for the values from 0 on.
std::string sums(cudaGraphExec_t executable, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    *value = i;
    *result = 0;
    CHECK_OK(cudaGraphLaunch(executable, nullptr));
    CHECK_OK(cudaDeviceSynchronize());
    text += std::to_string(*result) + " ";
  }
  return text;
}

// A kernel sets the condition; body i adds 10^i.
std::string choose(cudaGraphConditionalNodeType type, unsigned size, int count) {
  cudaGraph_t graph;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CHECK_OK(cudaGraphConditionalHandleCreate(&handle, graph));
  const cudaGraphNode_t first = add_kernel_node(graph, nullptr, (void*)set_kernel, value, handle);
  cudaGraphNodeParams p = conditional(handle, type, size);
  cudaGraphNode_t node;
  CHECK_OK(cudaGraphAddNode(&node, graph, &first, 1, &p));
  for (unsigned i = 0, power = 1; i < size; ++i, power *= 10)
    add_kernel_node(p.conditional.phGraph_out[i], nullptr, (void*)add_kernel, result,
                    static_cast<int>(power));
  cudaGraphExec_t executable;
  CHECK_OK(cudaGraphInstantiate(&executable, graph));
  CHECK_OK(cudaGraphDestroy(graph));  // the handle lives on
  const std::string text = sums(executable, count);
  CHECK_OK(cudaGraphExecDestroy(executable));
  return text;
}

// The default value starts the outer loop; the inner loop counts down from 3.
void test_nested() {
  cudaGraph_t graph;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle outer, inner;
  CHECK_OK(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams p = conditional(outer, cudaGraphCondTypeWhile, 1);
  cudaGraphNode_t node;
  CHECK_OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  const cudaGraph_t body = p.conditional.phGraph_out[0];
  CHECK_OK(cudaGraphConditionalHandleCreate(&inner, body));
  int *left, *three, *rounds;
  CHECK_OK(cudaMallocManaged(&left, sizeof(int)));
  CHECK_OK(cudaMallocManaged(&three, sizeof(int)));
  CHECK_OK(cudaMallocManaged(&rounds, sizeof(int)));
  *three = 3;

  cudaStream_t stream;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                         cudaStreamCaptureModeGlobal));
  CHECK_OK(cudaMemcpyAsync(left, three, sizeof(int), cudaMemcpyDeviceToDevice, stream));
  set_kernel<<<1, 1, 0, stream>>>(left, inner);
  cudaStreamCaptureStatus status;
  cudaGraph_t captured;
  const cudaGraphNode_t* last;
  size_t count;
  CHECK_OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &captured, &last, nullptr, &count));
  CHECK(status == cudaStreamCaptureStatusActive && captured == body && count == 1);
  p = conditional(inner, cudaGraphCondTypeWhile, 1);
  CHECK_OK(cudaGraphAddNode(&node, body, last, nullptr, count, &p));
  CHECK_OK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                               cudaStreamSetCaptureDependencies));
  count_down_kernel<<<1, 1, 0, stream>>>(rounds, outer);
  CHECK_OK(cudaStreamEndCapture(stream, nullptr));
  const cudaGraphNode_t added =
      add_kernel_node(p.conditional.phGraph_out[0], nullptr, (void*)add_kernel, result, 1);
  add_kernel_node(p.conditional.phGraph_out[0], added, (void*)count_down_kernel, left, inner);

  cudaGraphExec_t executable;
  CHECK_OK(cudaGraphInstantiate(&executable, graph));
  for (int launch = 1; launch <= 2; ++launch) {
    *result = 0;
    *rounds = 5;
    CHECK_OK(cudaGraphLaunch(executable, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK(*result == 15 && *rounds == 0);
  }

  cudaGraph_t other;
  CHECK_ERROR(cudaErrorNotSupported, cudaGraphClone(&other, graph));
  CHECK_OK(cudaGraphCreate(&other, 0));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph));
  const cudaHostNodeParams host = {[](void*) {}, nullptr};
  CHECK_OK(cudaGraphAddHostNode(&node, body, nullptr, 0, &host));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphInstantiate(&executable, graph));
  p = conditional(12345, cudaGraphCondTypeIf, 1);
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  p = conditional(outer, cudaGraphCondTypeWhile, 2);
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphDestroy(body));  // gone with the graph
  for (int* memory : {left, three, rounds})
    CHECK_OK(cudaFree(memory));
}

int main() {
  CHECK_OK(cudaMallocManaged(&value, sizeof(int)));
  CHECK_OK(cudaMallocManaged(&result, sizeof(int)));
  CHECK(choose(cudaGraphCondTypeIf, 1, 3) == "0 1 1 ");
  CHECK(choose(cudaGraphCondTypeIf, 2, 3) == "10 1 1 ");
  CHECK(choose(cudaGraphCondTypeSwitch, 3, 5) == "1 10 100 0 0 ");
  test_nested();
  CHECK_OK(cudaFree(value));
  CHECK_OK(cudaFree(result));
  printf("done\n");
}
