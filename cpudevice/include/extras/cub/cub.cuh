// <cub/cub.cuh>
#pragma once

#include "../cudacpu/cub/device.h"
