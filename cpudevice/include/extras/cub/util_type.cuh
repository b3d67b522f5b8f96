// <cub/util_type.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
#include "../cudacpu/cub/traits.h"
