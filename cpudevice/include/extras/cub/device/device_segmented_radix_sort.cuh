// <cub/device/device_segmented_radix_sort.cuh>
#pragma once

#include "../../cudacpu/cub/device/device_segmented_sort.h"
