// <cub/device/device_for.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
