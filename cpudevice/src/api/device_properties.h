// The properties of the device. The CPU device poses as a slice of a data-centre GPU, 8 of 132
// multiprocessors of an H200 with their share of cache and bandwidth, because a student's program
// chooses its launches by these numbers.
#pragma once

#include "cuda_runtime_api.h"

namespace cudacpu {

cudaDeviceProp device_properties();
// Returns -1 for a number without an attribute.
int device_attribute(cudaDeviceAttr attribute);

}  // namespace cudacpu
