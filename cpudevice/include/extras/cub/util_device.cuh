// <cub/util_device.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
