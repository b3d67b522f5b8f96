// Kernels that wait for actions of the host after the launch.
// environment: CUDACPU_TIMEOUT=20
// expect: volatile flag 42
// expect: managed system atomic 42
// expect: copy in another stream 42
// expect: event not ready, stream not ready, free stream ready
// expect: fill by the default stream 42
// expect: ping-pong 5050
// expect: queued 10 21 32
// expect: host function after kernel 1
// expect: other stream waits for the event 8
// expect: event took time 1
// expect: graph after kernel 5
// expect: loop with a body 42
// expect: grid waits 8
// expect: no error
#include <cooperative_groups.h>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cuda/atomic>
#include <new>
#include <thread>

#define CHECK(call)                                                                         \
  do {                                                                                      \
    const cudaError_t error = call;                                                         \
    if (error != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
  } while (0)

using SystemAtomic = cuda::atomic<int, cuda::thread_scope_system>;

__global__ void wait_for_flag(const volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  __threadfence_system();
  *out = 42;
}

__global__ void wait_for_atomic(SystemAtomic* flag, int* out) {
  while (flag->load(cuda::memory_order_acquire) == 0)
    __nanosleep(100);
  *out = 42;
}

// The loop does more than ask: only time slices let others run.
__global__ void wait_with_body(const volatile int* flag, int* out) {
  unsigned rounds = 0;
  for (;;) {
    ++rounds;
    if (*flag != 0) break;
  }
  *out = rounds > 0 ? 42 : 0;
}

// Answers each request by the sum of all requests so far; a negative request ends the kernel.
__global__ void serve(const volatile int* request, volatile int* response) {
  int sum = 0;
  for (int number = 1;; ++number) {
    while (request[1] < number) {
    }
    __threadfence_system();
    if (request[0] < 0) return;
    sum += request[0];
    response[0] = sum;
    __threadfence_system();
    response[1] = number;
  }
}

__global__ void add(int* value, int addend) {
  *value += addend;
}

// The first block waits for the host, the others for the first.
__global__ void grid_waits(const volatile int* flag, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    while (*flag == 0) {
    }
  }
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) atomicAdd(out, 1);
}

void flags(cudaStream_t stream, cudaStream_t free_stream) {
  volatile int* mapped;
  int *out, *on_device;
  CHECK(cudaHostAlloc((void**)&mapped, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMallocManaged(&out, sizeof(int)));
  CHECK(cudaMalloc(&on_device, sizeof(int)));
  int* d_mapped;
  CHECK(cudaHostGetDevicePointer((void**)&d_mapped, (void*)mapped, 0));
  *mapped = *out = 0;
  wait_for_flag<<<1, 1, 0, stream>>>(d_mapped, out);
  CHECK(cudaGetLastError());
  *mapped = 1;
  CHECK(cudaStreamSynchronize(stream));
  printf("volatile flag %d\n", *out);

  SystemAtomic* atomic;
  CHECK(cudaMallocManaged((void**)&atomic, sizeof(SystemAtomic)));
  new (atomic) SystemAtomic(0);
  *out = 0;
  wait_for_atomic<<<3, 64, 0, stream>>>(atomic, out);
  atomic->store(1, cuda::memory_order_release);
  CHECK(cudaDeviceSynchronize());
  printf("managed system atomic %d\n", *out);

  int *one, *result;
  CHECK(cudaMallocHost((void**)&one, sizeof(int)));
  CHECK(cudaMallocHost((void**)&result, sizeof(int)));
  *one = 1;
  *result = 0;
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  int* d_out;
  CHECK(cudaMalloc(&d_out, sizeof(int)));
  CHECK(cudaMemset(on_device, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  wait_for_flag<<<1, 32, 0, stream>>>(on_device, d_out);
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaMemcpyAsync(result, d_out, sizeof(int), cudaMemcpyDeviceToHost, stream));
  const bool event_waits = cudaEventQuery(event) == cudaErrorNotReady;
  const bool stream_waits = cudaStreamQuery(stream) == cudaErrorNotReady;
  const bool is_free = cudaStreamQuery(free_stream) == cudaSuccess;
  cudaGetLastError();
  CHECK(cudaMemcpyAsync(on_device, one, sizeof(int), cudaMemcpyHostToDevice, free_stream));
  CHECK(cudaEventSynchronize(event));
  CHECK(cudaEventQuery(event));
  CHECK(cudaStreamSynchronize(stream));
  printf("copy in another stream %d\n", *result);
  printf("event %s, stream %s, free stream %s\n", event_waits ? "not ready" : "ready",
         stream_waits ? "not ready" : "ready", is_free ? "ready" : "not ready");

  // The stream and the default stream do not wait for each other.
  *result = 0;
  CHECK(cudaMemset(on_device, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  wait_for_flag<<<1, 1, 0, stream>>>(on_device, d_out);
  CHECK(cudaMemset(on_device, 1, sizeof(int)));
  CHECK(cudaMemcpyAsync(result, d_out, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("fill by the default stream %d\n", *result);

  CHECK(cudaEventDestroy(event));
  CHECK(cudaFree(on_device));
  CHECK(cudaFree(out));
  CHECK(cudaFree(d_out));
  CHECK(cudaFreeHost((void*)mapped));
  CHECK(cudaFree(atomic));
  CHECK(cudaFreeHost(one));
  CHECK(cudaFreeHost(result));
}

void ping_pong(cudaStream_t stream) {
  volatile int *request, *response;
  CHECK(cudaMallocHost((void**)&request, 2 * sizeof(int)));
  CHECK(cudaMallocHost((void**)&response, 2 * sizeof(int)));
  request[1] = response[1] = 0;
  serve<<<1, 1, 0, stream>>>(request, response);
  for (int number = 1; number <= 100; ++number) {
    request[0] = number;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    request[1] = number;
    while (response[1] < number)
      std::this_thread::yield();
  }
  request[0] = -1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  request[1] = 101;
  CHECK(cudaStreamSynchronize(stream));
  printf("ping-pong %d\n", response[0]);
  CHECK(cudaFreeHost((void*)request));
  CHECK(cudaFreeHost((void*)response));
}

// All work is queued behind a waiting kernel, as in programs for measurements.
void queued_work(cudaStream_t stream, cudaStream_t other) {
  volatile int* latch;
  int *data, *seen;
  CHECK(cudaMallocHost((void**)&latch, sizeof(int)));
  CHECK(cudaMalloc(&data, sizeof(int)));
  CHECK(cudaMallocHost((void**)&seen, 5 * sizeof(int)));
  CHECK(cudaMemset(data, 0, sizeof(int)));
  // Loads the kernel, which a GPU may not be able to do while another kernel runs.
  add<<<1, 1>>>(data, 0);
  CHECK(cudaDeviceSynchronize());
  cudaEvent_t before, after;
  CHECK(cudaEventCreate(&before));
  CHECK(cudaEventCreate(&after));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  add<<<1, 1, 0, stream>>>(data, -27);
  CHECK(cudaMemcpyAsync(seen + 4, data, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));

  *latch = 0;
  for (int i = 0; i < 5; ++i)
    seen[i] = 0;
  static int called;
  called = 0;
  wait_for_flag<<<1, 1, 0, stream>>>(latch, data);
  CHECK(cudaMemsetAsync(data, 0, sizeof(int), stream));
  CHECK(cudaEventRecord(before, stream));
  for (int i = 0; i < 3; ++i) {
    add<<<1, 1, 0, stream>>>(data, 10 + (i > 0));
    CHECK(cudaMemcpyAsync(seen + i, data, sizeof(int), cudaMemcpyDeviceToHost, stream));
  }
  CHECK(cudaLaunchHostFunc(
      stream, [](void* values) { called = static_cast<int*>(values)[2] == 32; }, seen));
  CHECK(cudaEventRecord(after, stream));
  CHECK(cudaStreamWaitEvent(other, after, 0));
  CHECK(cudaMemsetAsync(data, 0, sizeof(int), other));
  add<<<1, 1, 0, other>>>(data, 8);
  CHECK(cudaMemcpyAsync(seen + 3, data, sizeof(int), cudaMemcpyDeviceToHost, other));
  CHECK(cudaEventRecord(after, other));
  CHECK(cudaStreamWaitEvent(stream, after, 0));
  add<<<1, 1, 0, stream>>>(data, 24);
  CHECK(cudaGraphLaunch(executable, stream));
  const bool none_yet = called == 0 && seen[0] == 0 && seen[4] == 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  *latch = 1;
  CHECK(cudaStreamSynchronize(stream));
  printf("queued %d %d %d\n", seen[0], seen[1], seen[2]);
  printf("host function after kernel %d\n", none_yet && called);
  printf("other stream waits for the event %d\n", seen[3]);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, before, after));
  printf("event took time %d\n", milliseconds >= 0);
  printf("graph after kernel %d\n", seen[4]);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(before));
  CHECK(cudaEventDestroy(after));
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost((void*)latch));
  CHECK(cudaFreeHost(seen));
}

void other_loops(cudaStream_t stream) {
  volatile int* flag;
  int* out;
  CHECK(cudaMallocHost((void**)&flag, sizeof(int)));
  CHECK(cudaMallocHost((void**)&out, sizeof(int)));
  *flag = *out = 0;
  wait_with_body<<<2, 32, 0, stream>>>(flag, out);
  *flag = 1;
  CHECK(cudaDeviceSynchronize());
  printf("loop with a body %d\n", *out);
  *flag = *out = 0;
  const int* arguments_flag = const_cast<const int*>(flag);
  void* arguments[] = {&arguments_flag, &out};
  CHECK(cudaLaunchCooperativeKernel((void*)grid_waits, dim3(8), dim3(32), arguments, 0, stream));
  *flag = 1;
  CHECK(cudaDeviceSynchronize());
  printf("grid waits %d\n", *out);
  CHECK(cudaFreeHost((void*)flag));
  CHECK(cudaFreeHost(out));
}

int main() {
  cudaStream_t stream, other;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  flags(stream, other);
  ping_pong(stream);
  queued_work(stream, other);
  other_loops(stream);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(other));
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
