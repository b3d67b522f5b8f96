// verdict: =ok case=2^20 cpu-speed=0..0.72 gpu-speed=0..1
// Issues each step from another host thread, and orders the steps by events: a model without the
// order of events between threads lets all steps run at the same time.
#include "saxpy.h"

#include <atomic>
#include <cstring>
#include <thread>

#include "cuda_check.h"

namespace {

constexpr int kBlockSize = 256;

// A thread per element.
__global__ void saxpy_kernel(int n, float scale, const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = scale * x[i] + y[i];
}

// Kept from call to call.
float* device = nullptr;
float* pinned = nullptr;
size_t room = 0;
cudaStream_t streams[3];
cudaEvent_t events[3];

void make_room(size_t bytes) {
  if (room == 0) {
    for (cudaStream_t& stream : streams)
      CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (cudaEvent_t& event : events)
      CUDA_CHECK(cudaEventCreate(&event));
  }
  CUDA_CHECK(cudaFree(device));
  CUDA_CHECK(cudaFreeHost(pinned));
  CUDA_CHECK(cudaMalloc(&device, bytes));
  CUDA_CHECK(cudaMallocHost(&pinned, bytes));
  room = bytes;
}

}  // namespace

void saxpy_host(int n, float scale, const float* x, const float* y, float* result) {
  if (n == 0) return;
  const size_t count = n;
  const size_t bytes = count * sizeof(float);
  if (room < 3 * bytes) make_room(3 * bytes);
  std::atomic<int> issued{0};
  const auto wait_for = [&](int step) {
    while (issued.load() < step)
      std::this_thread::yield();
  };
  std::thread up([&] {
    std::memcpy(pinned, x, bytes);
    std::memcpy(pinned + count, y, bytes);
    cudaMemcpyAsync(device, pinned, 2 * bytes, cudaMemcpyHostToDevice, streams[0]);
    cudaEventRecord(events[0], streams[0]);
    issued = 1;
  });
  std::thread work([&] {
    wait_for(1);
    cudaStreamWaitEvent(streams[1], events[0], 0);
    saxpy_kernel<<<ceil_div(n, kBlockSize), kBlockSize, 0, streams[1]>>>(
        n, scale, device, device + count, device + 2 * count);
    cudaEventRecord(events[1], streams[1]);
    issued = 2;
  });
  std::thread down([&] {
    wait_for(2);
    cudaStreamWaitEvent(streams[2], events[1], 0);
    cudaMemcpyAsync(pinned + 2 * count, device + 2 * count, bytes, cudaMemcpyDeviceToHost,
                    streams[2]);
    cudaEventRecord(events[2], streams[2]);
    issued = 3;
  });
  std::thread out([&] {
    wait_for(3);
    cudaEventSynchronize(events[2]);
    std::memcpy(result, pinned + 2 * count, bytes);
  });
  for (std::thread* thread : {&up, &work, &down, &out})
    thread->join();
  CUDA_CHECK(cudaGetLastError());
}
