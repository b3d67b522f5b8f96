// <cub/warp/warp_store.cuh>
#pragma once

#include "../../cudacpu/cub/warp_tiles.h"
