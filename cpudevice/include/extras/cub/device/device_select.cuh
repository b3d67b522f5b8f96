// <cub/device/device_select.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
