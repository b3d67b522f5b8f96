// Streams, events and callbacks: order, times, and unknown handles.
// expect: done
// stderr: cudaMemcpyAsync: there is no such stream (not created, or destroyed)
// stderr: cudaEventElapsedTime: an event was never recorded
// stderr: cudaEventElapsedTime: an event was created with cudaEventDisableTiming
// stderr: cudaEventRecord: there is no such event
#include "check.h"

__global__ void add_kernel(int* x, int value) {
  *x = *x * 10 + value;
}

__global__ void work_kernel(double* x) {
  for (int i = 0; i < 1000; ++i)
    *x = sin(*x + i);
}

void append(void* user_data) {
  int* x = static_cast<int*>(user_data);
  *x = *x * 10 + 3;
}

void append_at_callback(cudaStream_t, cudaError_t status, void* user_data) {
  if (status == cudaSuccess) append(user_data);
}

void test_streams() {
  cudaStream_t stream, low, destroyed;
  CHECK_OK(cudaStreamCreate(&stream));
  int least, greatest, priority;
  CHECK_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least == 0 && greatest < 0);
  CHECK_OK(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, 7));
  CHECK_OK(cudaStreamGetPriority(low, &priority));
  unsigned flags;
  CHECK_OK(cudaStreamGetFlags(low, &flags));
  CHECK(priority == least && flags == cudaStreamNonBlocking);
  int* x;
  CHECK_OK(cudaMallocManaged(&x, sizeof(int)));
  *x = 0;
  add_kernel<<<1, 1, 0, stream>>>(x, 1);
  add_kernel<<<1, 1, 0, stream>>>(x, 2);
  CHECK_OK(cudaLaunchHostFunc(stream, append, x));
  CHECK_OK(cudaStreamAddCallback(stream, append_at_callback, x, 0));
  add_kernel<<<1, 1, 0, cudaStreamPerThread>>>(x, 4);
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK_OK(cudaStreamQuery(stream));
  CHECK(*x == 12334);
  CHECK_OK(cudaStreamCreate(&destroyed));
  CHECK_OK(cudaStreamDestroy(destroyed));
  CHECK_ERROR(cudaErrorInvalidResourceHandle,
              cudaMemcpyAsync(x, x, 4, cudaMemcpyDefault, destroyed));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaStreamDestroy(destroyed));
  CHECK_ERROR(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&low, 0x10));
  CHECK_ERROR(cudaErrorInvalidValue, cudaLaunchHostFunc(stream, nullptr, nullptr));
}

void test_events() {
  cudaEvent_t start, stop, untimed, unused;
  CHECK_OK(cudaEventCreate(&start));
  CHECK_OK(cudaEventCreate(&stop, cudaEventBlockingSync));
  CHECK_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CHECK_OK(cudaEventCreate(&unused));
  double* x;
  CHECK_OK(cudaMallocManaged(&x, 8));
  CHECK_OK(cudaEventRecord(start));
  work_kernel<<<1, 1>>>(x);
  CHECK_OK(cudaEventRecord(stop));
  CHECK_OK(cudaEventRecord(untimed, 0));
  CHECK_OK(cudaEventSynchronize(stop));
  CHECK_OK(cudaEventQuery(stop));
  CHECK_OK(cudaStreamWaitEvent(0, stop, 0));
  float milliseconds = -1, backwards = 0;
  CHECK_OK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK_OK(cudaEventElapsedTime(&backwards, stop, start));
  CHECK(milliseconds > 0 && milliseconds < 10000 && backwards == -milliseconds);
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, unused));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, untimed));
  CHECK_OK(cudaEventQuery(unused));
  CHECK_OK(cudaEventDestroy(unused));
  CHECK_ERROR(cudaErrorInvalidResourceHandle, cudaEventRecord(unused));
}

int main() {
  test_streams();
  test_events();
  printf("done\n");
}
