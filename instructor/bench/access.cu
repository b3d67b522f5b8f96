// Measures the cost of an access to memory: in a run, under sanitize and under profile.
//
//     make bench-cpudevice        builds the program in each mode and prints the columns side by
//     side
//
// Prints a line per kernel: its name and nanoseconds of processor time per access, the best of
// several launches, on one worker.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

constexpr int kRounds = 3;
constexpr int kBlockSize = 256;
constexpr int kElements = 1 << 21;
constexpr int kPerThread = 64;
constexpr int kThreads = kElements / kPerThread;

// One thread per element: two loads and a store.
__global__ void add_kernel(const float* x, const float* y, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = x[i] + y[i];
}

// One thread per kPerThread elements, neighbours beside each other: a load and a store each.
__global__ void loop_kernel(const float* x, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < kPerThread; ++k)
    result[k * kThreads + i] = x[k * kThreads + i] + 1;
}

// loop_kernel at addresses far apart: a multiplication by an odd number permutes the elements.
__global__ void scattered_kernel(const float* x, float* result) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < kPerThread; ++k) {
    const unsigned at = (k * kThreads + i) * 2654435761u % kElements;
    result[at] = x[at] + 1;
  }
}

// Scattered addresses, and each thread takes one of four branches every round, by its index.
__global__ void divergent_kernel(const float* x, const float* y, float* result) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 0; k < kPerThread; ++k) {
    const unsigned hash = (k * kThreads + i) * 2654435761u, at = hash % kElements;
    switch (hash >> 30) {
      case 0:
        result[at] = x[at] + 1;
        break;
      case 1:
        result[at] = 2 * y[at];
        break;
      case 2:
        result[at] = 3 - x[at];
        break;
      default:
        result[at] = -y[at];
    }
  }
}

// A load and a store of shared memory each, and a barrier every round.
__global__ void shared_kernel(float* result) {
  __shared__ float tile[kBlockSize];
  tile[threadIdx.x] = threadIdx.x;
  float sum = 0;
  for (int k = 1; k <= kPerThread; ++k) {
    __syncthreads();
    sum += tile[(threadIdx.x + k) % kBlockSize];
    __syncthreads();
    tile[threadIdx.x] = sum;
  }
  result[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 16 bytes at a time.
__global__ void vector_kernel(const float4* x, float4* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = x[i];
}

// Many threads on few counters.
__global__ void atomic_kernel(int* counters) {
  for (int k = 0; k < kPerThread; ++k)
    atomicAdd(&counters[(threadIdx.x + k) % 1024], 1);
}

// The processor time of all threads: other programs on the machine do not count.
double processor_ns() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

template <typename Launch>
void measure(const char* name, double accesses, Launch launch) {
  double best = INFINITY;
  for (int round = 0; round < kRounds; ++round) {
    const double start = processor_ns();
    launch();
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
    best = std::min(best, processor_ns() - start);
  }
  printf("%s\t%.1f\n", name, best / accesses);
}

float* zeros(size_t n) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, n * sizeof(float)) != cudaSuccess) exit(1);
  cudaMemset(memory, 0, n * sizeof(float));
  return static_cast<float*>(memory);
}

}  // namespace

int main() {
  float *x = zeros(kElements), *y = zeros(kElements), *result = zeros(kElements);
  constexpr int kBlocks = kElements / kBlockSize, kLoopBlocks = kThreads / kBlockSize;
  measure("one element a thread", 3.0 * kElements,
          [&] { add_kernel<<<kBlocks, kBlockSize>>>(x, y, result); });
  measure("loop, contiguous", 2.0 * kElements,
          [&] { loop_kernel<<<kLoopBlocks, kBlockSize>>>(x, result); });
  measure("loop, scattered", 2.0 * kElements,
          [&] { scattered_kernel<<<kLoopBlocks, kBlockSize>>>(x, result); });
  measure("loop, scattered and divergent", 2.0 * kElements,
          [&] { divergent_kernel<<<kLoopBlocks, kBlockSize>>>(x, y, result); });
  measure("float4", 0.5 * kElements, [&] {
    vector_kernel<<<kBlocks / 4, kBlockSize>>>(reinterpret_cast<float4*>(x),
                                               reinterpret_cast<float4*>(result));
  });
  measure("shared memory, with barriers", 2.0 * kElements,
          [&] { shared_kernel<<<kLoopBlocks, kBlockSize>>>(result); });
  measure("atomics", 1.0 * kElements,
          [&] { atomic_kernel<<<kLoopBlocks, kBlockSize>>>(reinterpret_cast<int*>(result)); });
  for (float* p : {x, y, result})
    cudaFree(p);
}
