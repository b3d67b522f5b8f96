// <cub/util_macro.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
