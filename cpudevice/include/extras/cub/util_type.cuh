// <cub/util_type.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
