// <cub/warp/warp_reduce.cuh>
#pragma once

#include "../../cudacpu/cub/warp.h"
