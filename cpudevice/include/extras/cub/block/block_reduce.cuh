// <cub/block/block_reduce.cuh>
#pragma once

#include "../../cudacpu/cub/block.h"
