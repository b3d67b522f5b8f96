// <cub/util_allocator.cuh>
#pragma once

#include "../cudacpu/cub/device/device.h"
