// <cub/device/device_run_length_encode.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
