// <cub/block/block_adjacent_difference.cuh>
#pragma once

#include "../../cudacpu/cub/block_adjacent_difference.h"
