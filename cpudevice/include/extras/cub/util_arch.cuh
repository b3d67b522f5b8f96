// <cub/util_arch.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
