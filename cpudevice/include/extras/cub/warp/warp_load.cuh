// <cub/warp/warp_load.cuh>
#pragma once

#include "../../cudacpu/cub/warp_tiles.h"
