#include "fingerprint.h"

#include <algorithm>

#include "random.h"

namespace {

constexpr int kBlockSize = 256;
constexpr size_t kMaxBlocks = 1024;

// The word at i * 4, mixed with its position; the last word may be incomplete.
HARNESS_HOST_DEVICE uint64_t mixed_word(const unsigned char* data, size_t bytes, size_t i) {
  uint32_t word = 0;
  if (4 * i + 4 <= bytes) {
    word = reinterpret_cast<const uint32_t*>(data)[i];
  } else {
    for (size_t byte = 4 * i; byte < bytes; ++byte)
      word = word << 8 | data[byte];
  }
  return random_bits(word, i);
}

// A grid-stride loop over the words. Sums may be taken in any order.
__global__ void fingerprint_kernel(const unsigned char* data, size_t bytes, size_t words,
                                   unsigned long long* result) {
  unsigned long long sum = 0;
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < words;
       i += gridDim.x * static_cast<size_t>(blockDim.x)) {
    sum += mixed_word(data, bytes, i);
  }
  atomicAdd(result, sum);
}

bool is_on_host(const void* data) {
  cudaPointerAttributes attributes;
  CUDA_CHECK(cudaPointerGetAttributes(&attributes, data));
  return attributes.type != cudaMemoryTypeDevice;
}

}  // namespace

uint64_t fingerprint(const Region& region) {
  const auto* data = static_cast<const unsigned char*>(region.data);
  const size_t words = ceil_div(region.bytes, 4);
  unsigned long long sum = 0;
  if (words == 0) return sum;
  if (is_on_host(data)) {
    for (size_t i = 0; i < words; ++i)
      sum += mixed_word(data, region.bytes, i);
    return sum;
  }
  DeviceArray<unsigned long long> result(1);
  CUDA_CHECK(cudaMemset(result.data(), 0, result.bytes()));
  const auto blocks = static_cast<unsigned>(std::min(ceil_div(words, kBlockSize), kMaxBlocks));
  fingerprint_kernel<<<blocks, kBlockSize>>>(data, region.bytes, words, result.data());
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&sum, result.data(), sizeof sum, cudaMemcpyDefault));
  return sum;
}
