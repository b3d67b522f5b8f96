// Allocations as the host API and kernels make and free them.
#pragma once

#include <cstddef>

namespace cudacpu::sanitize {

// malloc and free in a kernel.
void* device_malloc(size_t bytes, const void* site);
void device_free(void* pointer, const void* site);
bool is_device_heap(const void* pointer);

}  // namespace cudacpu::sanitize
