// <cub/block/block_radix_sort.cuh>
#pragma once

#include "../../cudacpu/cub/block.h"
