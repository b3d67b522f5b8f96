// A launch whose size only the device knows, made in four ways; indirect.py builds and runs it.
//
//   indirect [--capacity 4194304] [--percent 10]
//
// An item is 64 rounds of work(), percent % of the capacity are there. Prints {"count copied": us,
// …}: the median of kCalls calls each, the ways taking turns, from an idle device to the end of the
// work.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "cuda_check.h"
#include "device_array.h"
#include "gpu_time.h"
#include "options.h"
#include "work.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kRounds = 64;
constexpr int kCalls = 51;

// A thread per item, or, with fewer threads, one per grid-stride sequence of items.
__global__ void work_kernel(const int* count, unsigned* values) {
  const unsigned end = *count;
  const unsigned stride = gridDim.x * kBlockSize;
  for (unsigned i = blockIdx.x * kBlockSize + threadIdx.x; i < end; i += stride)
    values[i] = work(values[i], kRounds);
}

// A single thread, which launches the work: dynamic parallelism. The launch begins when the kernel
// has ended, and the kernel counts as ended when the launch has.
__global__ void dispatch_kernel(const int* count, unsigned* values) {
  if (*count == 0) return;
  const int blocks = (*count + kBlockSize - 1) / kBlockSize;
  work_kernel<<<blocks, kBlockSize, 0, cudaStreamTailLaunch>>>(count, values);
}

struct Work {
  int capacity;
  int resident;  // blocks that the device holds at once
  const int* count;
  unsigned* values;
};

void count_copied(const Work& work) {
  int count = 0;
  CUDA_CHECK(cudaMemcpy(&count, work.count, sizeof count, cudaMemcpyDeviceToHost));
  if (count == 0) return;
  work_kernel<<<ceil_div(count, kBlockSize), kBlockSize>>>(work.count, work.values);
}
void launch_for_all(const Work& work) {
  work_kernel<<<ceil_div(work.capacity, kBlockSize), kBlockSize>>>(work.count, work.values);
}
void count_read(const Work& work) {
  const int blocks = std::min(ceil_div(work.capacity, kBlockSize), work.resident);
  work_kernel<<<blocks, kBlockSize>>>(work.count, work.values);
}
void device_launch(const Work& work) {
  dispatch_kernel<<<1, 1>>>(work.count, work.values);
}

const std::map<std::string, void (*)(const Work&)> kWays = {
    {"count copied", count_copied},
    {"launch for all", launch_for_all},
    {"count read by the kernel", count_read},
    {"launch from the device", device_launch}};

}  // namespace

int main(int argc, char** argv) {
  const Options options(std::vector<std::string>(argv + 1, argv + argc));
  const int capacity = options.count("capacity", 1 << 22);
  const int percent = options.count("percent", 10);
  options.require_all_used();
  const int count = static_cast<int>(static_cast<long long>(capacity) * percent / 100);
  int multiprocessors = 0;
  int blocks = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work_kernel, kBlockSize, 0));
  DeviceArray<int> on_device(1);
  DeviceArray<unsigned> values(capacity);
  CUDA_CHECK(cudaMemcpy(on_device.data(), &count, sizeof count, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(values.data(), 1, values.bytes()));
  const Work work = {capacity, multiprocessors * blocks, on_device.data(), values.data()};
  std::map<std::string, std::vector<double>> times;
  for (int call = 0; call < kCalls; ++call) {
    for (const auto& [name, way] : kWays)
      times[name].push_back(1000 * gpu_time_ms([&, way = way] { way(work); }));
  }
  std::string separator = "{";
  for (const auto& [name, us] : times) {
    std::printf("%s\"%s\": %.2f", separator.c_str(), name.c_str(), median(us));
    separator = ", ";
  }
  std::printf("}\n");
}
