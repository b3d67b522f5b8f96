// Random inputs made on the device: the values that random.h gives for the same seed on the host.
#pragma once

#include <cstddef>
#include <cstdint>

// data[i] = random_float(seed, i) for i < size; `data` is a device pointer. Throws CudaError.
void fill_random(float* data, size_t size, uint64_t seed);

// data[i] = random_int(seed, i, bound), likewise.
void fill_random(int* data, size_t size, uint64_t seed, uint32_t bound);
