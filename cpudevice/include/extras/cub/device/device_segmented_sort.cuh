// <cub/device/device_segmented_sort.cuh>
#pragma once

#include "../../cudacpu/cub/device/device_segmented_sort.h"
