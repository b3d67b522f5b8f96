// Makes random inputs on the device: for a seed the same values as random.h on the host.
#pragma once

#include <cstddef>
#include <cstdint>

struct __nv_bfloat16;

// data[i] = random_float(seed, i) for i < size; `data` is a device pointer. Throws CudaError.
void fill_random(float* data, size_t size, uint64_t seed);

// data[i] = random_bf16(seed, i), likewise.
void fill_random(__nv_bfloat16* data, size_t size, uint64_t seed);

// data[i] = random_int(seed, i, bound), likewise.
void fill_random(int* data, size_t size, uint64_t seed, uint32_t bound);

// data[i] = the upper half of random_bits(seed, i). Throws CudaError.
void fill_random_bits(unsigned* data, size_t size, uint64_t seed);

// data[i] = i * factor + offset modulo 2^32. Throws CudaError.
void fill_sequence(unsigned* data, size_t size, unsigned factor, unsigned offset);
