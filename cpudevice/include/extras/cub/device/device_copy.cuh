// <cub/device/device_copy.cuh>
#pragma once

#include "../../cudacpu/cub/device/device_copy.h"
