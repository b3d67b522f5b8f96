// Allocations as the host API and kernels make and free them.
#pragma once

#include <cstddef>

namespace cudacpu::sanitize {

// malloc and free in a kernel.
void* device_malloc(size_t bytes, const void* site);
void device_free(void* pointer, const void* site);
// `function` of the host has got a pointer from one of CUDA's functions.
void host_free_of_device_memory(void* pointer, const char* function);
bool is_device_heap(const void* pointer);

}  // namespace cudacpu::sanitize
