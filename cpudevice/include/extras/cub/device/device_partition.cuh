// <cub/device/device_partition.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
