// <cub/block/radix_rank_sort_operations.cuh>
#pragma once

#include "../../cudacpu/cub/traits.h"
