// <cub/device/device_scan.cuh>
#pragma once

#include "../../cudacpu/cub/device/device.h"
