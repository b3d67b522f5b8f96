// What the device says of itself. It poses as a slice of a data-centre GPU, 8 of 132
// multiprocessors of an H200 with their share of cache and bandwidth, because a student's program
// asks for these numbers to choose its launches.
#pragma once

#include "cuda_runtime_api.h"

namespace cudacpu {

cudaDeviceProp device_properties();
// Returns -1 for a number that is no attribute.
int device_attribute(cudaDeviceAttr attribute);

}  // namespace cudacpu
