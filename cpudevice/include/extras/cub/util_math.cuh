// <cub/util_math.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
