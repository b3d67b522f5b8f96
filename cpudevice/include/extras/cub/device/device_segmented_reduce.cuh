// <cub/device/device_segmented_reduce.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
