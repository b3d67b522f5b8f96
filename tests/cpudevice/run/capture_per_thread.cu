// The capture of cudaStreamPerThread, a different stream in each host thread.
// expect: done
#include <thread>

#include "check.h"

__global__ void add_kernel(int* x, int value) {
  *x += value;
}

// Captures a kernel, a second kernel in another stream, and the wait for the second kernel.
cudaGraph_t capture(int* x) {
  cudaStream_t other;
  cudaEvent_t fork, join;
  CHECK_OK(cudaStreamCreate(&other));
  CHECK_OK(cudaEventCreate(&fork));
  CHECK_OK(cudaEventCreate(&join));
  CHECK_OK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
  add_kernel<<<1, 1, 0, cudaStreamPerThread>>>(x, 1);
  CHECK_OK(cudaEventRecord(fork, cudaStreamPerThread));
  CHECK_OK(cudaStreamWaitEvent(other, fork));
  add_kernel<<<1, 1, 0, other>>>(x, 10);
  CHECK_OK(cudaEventRecord(join, other));
  CHECK_OK(cudaStreamWaitEvent(cudaStreamPerThread, join));
  // The stream of another thread is not being captured.
  std::thread([] {
    cudaStreamCaptureStatus status;
    CHECK_OK(cudaStreamIsCapturing(cudaStreamPerThread, &status));
    CHECK(status == cudaStreamCaptureStatusNone);
  }).join();
  cudaGraph_t graph;
  CHECK_OK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  CHECK_OK(cudaEventDestroy(fork));
  CHECK_OK(cudaEventDestroy(join));
  CHECK_OK(cudaStreamDestroy(other));
  return graph;
}

int main() {
  int* x;
  CHECK_OK(cudaMallocManaged(&x, sizeof(int)));
  *x = 0;
  const cudaGraph_t graph = capture(x);
  CHECK(*x == 0);
  cudaGraphExec_t executable;
  CHECK_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i)
    CHECK_OK(cudaGraphLaunch(executable, cudaStreamPerThread));
  CHECK_OK(cudaStreamSynchronize(cudaStreamPerThread));
  CHECK(*x == 33);
  add_kernel<<<1, 1, 0, cudaStreamPerThread>>>(x, 1);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*x == 34);
  CHECK_OK(cudaGraphExecDestroy(executable));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaFree(x));
  printf("done\n");
}
