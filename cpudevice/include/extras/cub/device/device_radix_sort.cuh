// <cub/device/device_radix_sort.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
