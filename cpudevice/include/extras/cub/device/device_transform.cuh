// <cub/device/device_transform.cuh>
#pragma once

#include "../../cudacpu/cub/device/device_transform.h"
