// Graphs by capture and by hand: nothing runs before the launch, and each launch runs all nodes in
// the order of the dependencies.
// expect: done
// stderr: cudaStreamEndCapture: a stream that the capture forked into was not joined again
// stderr: the dependencies of the nodes form a cycle
#include "check.h"

constexpr int kCount = 256;

__global__ void add_kernel(int* x, int value) {
  x[threadIdx.x] += value;
}
__global__ void multiply_kernel(int* x, int factor) {
  x[threadIdx.x] *= factor;
}
__global__ void sum_kernel(const int* a, const int* b, int* out) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

void count_call(void* calls) {
  ++*static_cast<int*>(calls);
}

size_t node_count(cudaGraph_t graph) {
  size_t count;
  CHECK_OK(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

void test_capture() {
  cudaStream_t stream, other;
  cudaEvent_t fork, join;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamCreate(&other));
  CHECK_OK(cudaEventCreate(&fork));
  CHECK_OK(cudaEventCreate(&join));
  int *a, *b, *out, host[kCount], calls = 0;
  CHECK_OK(cudaMalloc(&a, sizeof(host)));
  CHECK_OK(cudaMalloc(&b, sizeof(host)));
  CHECK_OK(cudaMallocManaged(&out, sizeof(host)));
  for (int& x : host)
    x = 5;
  out[7] = -1;

  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  CHECK_OK(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  CHECK_OK(cudaEventRecord(fork, stream));
  CHECK_OK(cudaStreamWaitEvent(other, fork));
  CHECK_OK(cudaMemcpyAsync(a, host, sizeof(host), cudaMemcpyHostToDevice, stream));
  add_kernel<<<1, kCount, 0, stream>>>(a, 1);
  CHECK_OK(cudaMemsetAsync(b, 0, sizeof(host), other));
  add_kernel<<<1, kCount, 0, other>>>(b, 10);
  CHECK_OK(cudaEventRecord(join, other));
  CHECK_OK(cudaStreamWaitEvent(stream, join));
  sum_kernel<<<1, kCount, 0, stream>>>(a, b, out);
  CHECK_OK(cudaLaunchHostFunc(stream, count_call, &calls));
  CHECK_ERROR(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  cudaGraph_t graph;
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK(out[7] == -1 && calls == 0);
  CHECK(node_count(graph) == 6);
  size_t roots;
  CHECK_OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(roots == 2);

  cudaGraphExec_t executable;
  CHECK_OK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK_OK(cudaGraphDestroy(graph));
  for (int launch = 1; launch <= 3; ++launch) {
    host[7] = 100 * launch;
    CHECK_OK(cudaGraphLaunch(executable, stream));
    CHECK_OK(cudaStreamSynchronize(stream));
    CHECK(out[7] == 100 * launch + 11 && out[8] == 16 && calls == launch);
  }

  // The same shape with other arguments.
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_OK(cudaMemcpyAsync(a, host, sizeof(host), cudaMemcpyHostToDevice, stream));
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExecUpdateResultInfo info;
  CHECK_ERROR(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, graph, &info));
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaGraphExecDestroy(executable));

  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_OK(cudaEventRecord(fork, stream));
  CHECK_OK(cudaStreamWaitEvent(other, fork));
  add_kernel<<<1, kCount, 0, other>>>(b, 10);
  CHECK_ERROR(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(stream, &graph));
  add_kernel<<<1, kCount, 0, other>>>(out, 1);  // no stream is captured now
  CHECK_OK(cudaStreamSynchronize(other));
  CHECK(out[8] == 17);
  CHECK_ERROR(cudaErrorStreamCaptureUnsupported,
              cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
}

void test_nodes() {
  int* x;
  int back[kCount];
  CHECK_OK(cudaMalloc(&x, sizeof(back)));
  cudaGraph_t graph;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  int three = 3, four = 4, calls = 0;
  void* add_arguments[] = {&x, &three};
  void* multiply_arguments[] = {&x, &four};
  cudaKernelNodeParams add = {(void*)add_kernel, 1, kCount, 0, add_arguments, nullptr};
  cudaKernelNodeParams multiply = add;
  multiply.func = (void*)multiply_kernel;
  multiply.kernelParams = multiply_arguments;
  cudaMemsetParams fill = {};
  fill.dst = x;
  fill.elementSize = 4;
  fill.value = 7;
  fill.width = kCount;
  fill.height = 1;
  const cudaHostNodeParams host = {count_call, &calls};
  // The order of creation is not the order of execution.
  cudaGraphNode_t added, multiplied, filled, copied, called;
  CHECK_OK(cudaGraphAddKernelNode(&multiplied, graph, nullptr, 0, &multiply));
  CHECK_OK(cudaGraphAddKernelNode(&added, graph, &multiplied, 1, &add));
  CHECK_OK(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
  CHECK_OK(cudaGraphAddDependencies(graph, &filled, &multiplied, nullptr, 1));
  CHECK_OK(cudaGraphAddMemcpyNode1D(&copied, graph, &added, 1, back, x, sizeof(back),
                                    cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGraphAddHostNode(&called, graph, &copied, 1, &host));
  three = four = 0;  // arguments were copied
  cudaGraph_t clone;
  CHECK_OK(cudaGraphClone(&clone, graph));
  cudaGraphExec_t executable;
  CHECK_OK(cudaGraphInstantiate(&executable, graph));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK(back[0] == 31 && back[kCount - 1] == 31 && calls == 1);
  three = 100;
  CHECK_OK(cudaGraphExecKernelNodeSetParams(executable, added, &add));
  CHECK_OK(cudaGraphLaunch(executable, nullptr));
  CHECK(back[0] == 128 && calls == 2);

  cudaGraph_t parent;
  cudaGraphNode_t child, again;
  CHECK_OK(cudaGraphCreate(&parent, 0));
  CHECK_OK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, clone));
  CHECK_OK(cudaGraphAddMemcpyNode1D(&again, parent, &child, 1, back, x, 4, cudaMemcpyDefault));
  cudaGraphNodeType type;
  CHECK_OK(cudaGraphNodeGetType(child, &type));
  CHECK(type == cudaGraphNodeTypeGraph);
  cudaGraphExec_t both;
  CHECK_OK(cudaGraphInstantiate(&both, parent));
  CHECK_OK(cudaGraphLaunch(both, nullptr));
  CHECK(back[0] == 31 && calls == 3);

  CHECK_OK(cudaGraphAddDependencies(graph, &called, &filled, nullptr, 1));
  CHECK_ERROR(cudaErrorInvalidValue, cudaGraphInstantiate(&both, graph));
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
}

// Memory allocated by a graph has the same address in all launches.
void test_memory() {
  cudaStream_t stream;
  CHECK_OK(cudaStreamCreate(&stream));
  int *temporary, back[kCount];
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_OK(cudaMallocAsync(&temporary, sizeof(back), stream));
  CHECK_OK(cudaMemsetAsync(temporary, 0, sizeof(back), stream));
  add_kernel<<<1, kCount, 0, stream>>>(temporary, 9);
  CHECK_OK(cudaMemcpyAsync(back, temporary, sizeof(back), cudaMemcpyDeviceToHost, stream));
  CHECK_OK(cudaFreeAsync(temporary, stream));
  cudaGraph_t graph;
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable;
  CHECK_OK(cudaGraphInstantiate(&executable, graph));
  for (int i = 0; i < 2; ++i) {
    back[3] = 0;
    CHECK_OK(cudaGraphLaunch(executable, stream));
    CHECK(back[3] == 9);
  }
}

int main() {
  test_capture();
  test_nodes();
  test_memory();
  printf("done\n");
}
