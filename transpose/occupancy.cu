// What 16.0 KB instead of 16.25 KB of shared memory per block are worth: an experiment.
//
//   make build/gpu/transpose/occupancy
//   build/gpu/transpose/occupancy --size 8192 --repeats 21
//
// On the CPU device (build/cpu/...) the same, with a smaller --size; its times mean nothing.
//
// The same transpose with tiles of 64 x 64, padded (64 x 65 floats) and rotated (64 x 64 floats).
// Blocks get a ballast of unused shared memory, so that fewer blocks fit on a
// multiprocessor: as many as fit, exactly four rotated blocks (as on a GPU with 64 KB per
// multiprocessor and no ballast), and then every number of blocks from eight to one.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "cuda_check.h"
#include "device_array.h"
#include "fill.h"
#include "options.h"
#include "random.h"
#include "stopwatch.h"

namespace {

constexpr int kTile = 64;
constexpr int kBlockRows = 4;
constexpr int kBlockSize = kTile * kBlockRows;
constexpr int kPerThread = kTile / kBlockRows;
// Shared memory is allocated in multiples of this size.
constexpr int kSharedGranularity = 128;
constexpr uint64_t kSeed = 1;

// A block of kTile x kBlockRows threads per tile, kPerThread elements per thread, as in rung 5.
// `size` is a multiple of kTile.
template <bool kPadded>
__global__ void transpose_kernel(const float* input, size_t size, float* output) {
  __shared__ float tile[kTile][kPadded ? kTile + 1 : kTile];
  const size_t first_row = blockIdx.y * kTile;
  const size_t first_col = blockIdx.x * kTile;
  const int x = threadIdx.x;

  float elements[kPerThread];
  for (int i = 0; i < kPerThread; ++i) {
    const int y = threadIdx.y + i * kBlockRows;
    elements[i] = input[(first_row + y) * size + first_col + x];
  }
  for (int i = 0; i < kPerThread; ++i) {
    const int y = threadIdx.y + i * kBlockRows;
    tile[y][kPadded ? x : (y + x) % kTile] = elements[i];
  }

  // Each thread goes on with elements that other threads have read.
  __syncthreads();

  for (int i = 0; i < kPerThread; ++i) {
    const int y = threadIdx.y + i * kBlockRows;
    output[(first_col + y) * size + first_row + x] = tile[x][kPadded ? y : (x + y) % kTile];
  }
}

using Kernel = void (*)(const float*, size_t, float*);

// The limits of device 0 for the experiment.
struct Limits {
  int shared_per_multiprocessor;
  int reserved_per_block;
};

int attribute(cudaDeviceAttr which) {
  int value = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int static_shared_bytes(Kernel kernel) {
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  return static_cast<int>(attributes.sharedSizeBytes);
}

// The largest ballast with which `blocks` blocks of the kernel still fit on a multiprocessor.
int ballast_for(Kernel kernel, int blocks, const Limits& limits) {
  const int room = limits.shared_per_multiprocessor / blocks - limits.reserved_per_block -
                   static_shared_bytes(kernel);
  return std::max(0, room / kSharedGranularity * kSharedGranularity);
}

class Experiment {
 public:
  Experiment(int size, int repeats)
      : size_(size), repeats_(repeats), input_(elements()), output_(elements()) {
    fill_random(input_.data(), elements(), kSeed);
  }

  // A line of a table: blocks per multiprocessor, time, rate.
  void run(const char* name, Kernel kernel, int ballast) {
    // Makes as much of L1 shared memory as possible, whatever the driver would choose, and permits
    // more than 48 KB per block.
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ballast));
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kBlockSize, ballast));
    const float ms = median_ms(kernel, ballast);
    const int bytes = static_shared_bytes(kernel) + ballast;
    std::printf("%-8s  %9.2f KB  %6d  %5d %%  %9.4f ms  %7.1f GB/s  %s\n", name, bytes / 1024.0,
                blocks,
                100 * blocks * kBlockSize / attribute(cudaDevAttrMaxThreadsPerMultiProcessor), ms,
                2 * sizeof(float) * elements() / (ms * 1e6), is_right() ? "right" : "WRONG");
  }

 private:
  size_t elements() const { return static_cast<size_t>(size_) * size_; }

  float median_ms(Kernel kernel, int ballast) {
    const dim3 grid(size_ / kTile, size_ / kTile);
    const dim3 block(kTile, kBlockRows);
    CUDA_CHECK(cudaMemset(output_.data(), 0xFF, output_.bytes()));
    std::vector<float> times;
    for (int repeat = 0; repeat < repeats_; ++repeat) {
      times.push_back(stopwatch_.time_ms([&] {
        kernel<<<grid, block, ballast>>>(input_.data(), size_, output_.data());
        CUDA_CHECK(cudaGetLastError());
      }));
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }

  bool is_right() const {
    std::vector<float> got(elements());
    CUDA_CHECK(cudaMemcpy(got.data(), output_.data(), output_.bytes(), cudaMemcpyDeviceToHost));
    const size_t size = size_;
    for (size_t i = 0; i < got.size(); ++i) {
      if (got[i] != random_float(kSeed, i % size * size + i / size)) return false;
    }
    return true;
  }

  int size_;
  int repeats_;
  DeviceArray<float> input_;
  DeviceArray<float> output_;
  Stopwatch stopwatch_;
};

void print_header(const char* title) {
  std::printf("\n%s\n%-8s  %12s  %6s  %7s  %12s  %12s\n", title, "tile", "shared/block", "blocks",
              "threads", "time", "rate");
}

void run_all(int size, int repeats) {
  const Limits limits = {attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
                         attribute(cudaDevAttrReservedSharedMemoryPerBlock)};
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s: %d KB of shared memory per multiprocessor, %d bytes of each block reserved\n",
              properties.name, limits.shared_per_multiprocessor / 1024, limits.reserved_per_block);

  const Kernel padded = transpose_kernel<true>;
  const Kernel rotated = transpose_kernel<false>;
  Experiment experiment(size, repeats);
  print_header("As many blocks as fit");
  experiment.run("padded", padded, 0);
  experiment.run("rotated", rotated, 0);

  const int four = ballast_for(rotated, 4, limits);
  print_header("The same ballast for both, such that exactly four rotated blocks fit");
  experiment.run("padded", padded, four);
  experiment.run("rotated", rotated, four);

  print_header("Rotated, from eight blocks to one");
  for (int blocks = 8; blocks >= 1; --blocks)
    experiment.run("rotated", rotated, ballast_for(rotated, blocks, limits));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options(std::vector<std::string>(argv + 1, argv + argc));
    const int size = options.count("size", 8192);
    const int repeats = std::max(1, options.count("repeats", 21));
    options.require_all_used();
    if (size == 0 || size % kTile != 0) throw OptionError("--size must be a multiple of 64");
    run_all(size, repeats);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "occupancy: %s\n", error.what());
    return 2;
  }
}
