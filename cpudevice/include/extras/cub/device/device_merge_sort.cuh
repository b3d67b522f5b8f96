// <cub/device/device_merge_sort.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
