// The runners' kernels: masks and values made on the device.
#pragma once

#include "cuda_check.h"
#include "input.h"

constexpr int kFillBlock = 256;

// One thread per item; one lane of each warp writes its word. flags and bytes may be null.
static __global__ void fill_mask_kernel(unsigned n, Mask mask, uint64_t seed, int* flags,
                                        unsigned char* bytes, unsigned* words) {
  const unsigned i = blockIdx.x * kFillBlock + threadIdx.x;
  const bool active = i < n && is_active(mask, seed, i);
  const unsigned word = __ballot_sync(0xffffffffu, active);
  if (i < n && threadIdx.x % 32 == 0) words[i / 32] = word;
  if (i >= n || flags == nullptr) return;
  flags[i] = active;
  bytes[i] = active;
}

// One thread per item.
static __global__ void fill_values_kernel(unsigned n, uint64_t seed, unsigned* values) {
  const unsigned i = blockIdx.x * kFillBlock + threadIdx.x;
  if (i < n) values[i] = initial_value(seed, i);
}

// The values of one repeat. Throws CudaError.
inline void fill_values(int n, uint64_t seed, unsigned* values) {
  if (n == 0) return;
  fill_values_kernel<<<ceil_div(n, kFillBlock), kFillBlock>>>(n, value_seed(seed), values);
  CUDA_CHECK(cudaGetLastError());
}

// The mask of one repeat. Throws CudaError.
inline void fill_mask(const MaskedCase& options, uint64_t seed, int* flags, unsigned char* bytes,
                      unsigned* words) {
  if (options.n == 0) return;
  fill_mask_kernel<<<ceil_div(options.n, kFillBlock), kFillBlock>>>(
      options.n, options.mask(seed), mask_seed(seed), flags, bytes, words);
  CUDA_CHECK(cudaGetLastError());
}
