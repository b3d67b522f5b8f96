// <cub/device/device_merge.cuh>
#pragma once

#include "../../cudacpu/cub/device/device_merge.h"
