#include "fill.h"

#include <cuda_bf16.h>

#include "cuda_check.h"
#include "random.h"

namespace {

constexpr int kBlockSize = 256;

struct RandomFloat {
  uint64_t seed;
  __device__ float operator()(size_t i) const { return random_float(seed, i); }
};

struct RandomBf16 {
  uint64_t seed;
  __device__ __nv_bfloat16 operator()(size_t i) const {
    return __ushort_as_bfloat16(static_cast<unsigned short>(random_bf16_bits(seed, i) >> 16));
  }
};

struct RandomInt {
  uint64_t seed;
  uint32_t bound;
  __device__ int operator()(size_t i) const { return random_int(seed, i, bound); }
};

struct RandomBits {
  uint64_t seed;
  __device__ unsigned operator()(size_t i) const { return random_bits(seed, i) >> 32; }
};

struct Sequence {
  unsigned factor;
  unsigned offset;
  __device__ unsigned operator()(size_t i) const {
    return static_cast<unsigned>(i) * factor + offset;
  }
};

// One thread per element.
template <class T, class Function>
__global__ void fill_kernel(T* data, size_t size, Function function) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < size) data[i] = function(i);
}

template <class T, class Function>
void fill(T* data, size_t size, Function function) {
  if (size == 0) return;
#ifdef __CUDACPU_SANITIZE__
  // Sanitize does not observe this file's kernels: the memset marks the array as written.
  CUDA_CHECK(cudaMemset(data, 0, size * sizeof(T)));
#endif
  const auto blocks = static_cast<unsigned>(ceil_div(size, kBlockSize));
  fill_kernel<<<blocks, kBlockSize>>>(data, size, function);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void fill_random(float* data, size_t size, uint64_t seed) {
  fill(data, size, RandomFloat{seed});
}

void fill_random(__nv_bfloat16* data, size_t size, uint64_t seed) {
  fill(data, size, RandomBf16{seed});
}

void fill_random(int* data, size_t size, uint64_t seed, uint32_t bound) {
  fill(data, size, RandomInt{seed, bound});
}

void fill_random_bits(unsigned* data, size_t size, uint64_t seed) {
  fill(data, size, RandomBits{seed});
}

void fill_sequence(unsigned* data, size_t size, unsigned factor, unsigned offset) {
  fill(data, size, Sequence{factor, offset});
}
