// <cub/device/device_memcpy.cuh>
#pragma once

#include "../../cudacpu/cub/device/device_copy.h"
