// What a row of texture fetches costs along x, y and z of a volume.
//
//   fetches [--volume 1024]
//
// Each warp reads rows of 32 neighbouring voxels of a size^3 volume of bytes, kRows rows in
// sequence at places far from each other, by tex3D without interpolation. Prints
// {"x": ns, "y": ns, "z": ns}: nanoseconds of the whole GPU for a row, the median of kCalls
// calls. The model of S. Du and S. Zhang (2016), slices in Morton order, says that the neighbours
// lie 1 : 2 : 6 apart in memory.
#include <cstdio>
#include <string>
#include <vector>

#include "cuda_check.h"
#include "device_array.h"
#include "gpu_time.h"
#include "options.h"

namespace {

constexpr int kBlockSize = 256;
constexpr int kRows = 64;  // of a warp
constexpr int kCalls = 9;

// A warp per kRows rows along `axis`, 0 to 2, a thread per voxel of each.
__global__ void fetch_kernel(cudaTextureObject_t volume, int size, int axis, float* sums) {
  const unsigned i = blockIdx.x * kBlockSize + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  unsigned place = i / 32 * 2654435761u;  // Knuth's multiplicative hash: no two warps are nearby
  float sum = 0;
  for (int row = 0; row < kRows; ++row) {
    unsigned at[3];
    for (unsigned& coordinate : at) {
      place = place * 1664525u + 1013904223u;
      coordinate = (place >> 16) % size;
    }
    // A row begins at a multiple of 32 along its own axis.
    at[axis] = at[axis] / 32 * 32 + lane;
    sum += tex3D<float>(volume, at[0] + 0.5f, at[1] + 0.5f, at[2] + 0.5f);
  }
  sums[i] = sum;
}

class Volume {
 public:
  explicit Volume(int size) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<unsigned char>();
    const auto side = static_cast<size_t>(size);
    CUDA_CHECK(cudaMalloc3DArray(&array_, &channels, make_cudaExtent(side, side, side)));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeNormalizedFloat;
    CUDA_CHECK(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  Volume(const Volume&) = delete;
  Volume& operator=(const Volume&) = delete;
  ~Volume() {
    cudaDestroyTextureObject(texture_);
    cudaFreeArray(array_);
  }
  cudaTextureObject_t texture() const { return texture_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const Options options(std::vector<std::string>(argv + 1, argv + argc));
  const int size = options.count("volume", 1024);
  options.require_all_used();
  int multiprocessors = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int blocks = 16 * multiprocessors;
  const Volume volume(size);
  DeviceArray<float> sums(static_cast<size_t>(blocks) * kBlockSize);
  const double rows = blocks * (kBlockSize / 32.0) * kRows;
  for (int axis = 0; axis < 3; ++axis) {
    const double ms = median_ms(kCalls, [&] {
      fetch_kernel<<<blocks, kBlockSize>>>(volume.texture(), size, axis, sums.data());
    });
    std::printf("%s\"%c\": %.3f", axis == 0 ? "{" : ", ", "xyz"[axis], ms * 1e6 / rows);
  }
  std::printf("}\n");
}
