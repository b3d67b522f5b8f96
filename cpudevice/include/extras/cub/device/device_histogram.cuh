// <cub/device/device_histogram.cuh>
#pragma once

#include "../../cudacpu/cub/device/device_histogram.h"
