// <cub/warp/warp_merge_sort.cuh>
#pragma once

#include "../../cudacpu/cub/merge_sort.h"
