// <cub/device/device_adjacent_difference.cuh>
#pragma once

#include "../../cudacpu/cub/device/device_adjacent_difference.h"
