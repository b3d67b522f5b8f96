// <cub/util_debug.cuh>
#pragma once

#include "../cudacpu/cub/debug.h"
