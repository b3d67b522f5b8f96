// <cub/warp/warp_exchange.cuh>
#pragma once

#include "../../cudacpu/cub/warp_tiles.h"
