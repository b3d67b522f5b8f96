// <cub/device/device_reduce.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
