// <cub/block/block_histogram.cuh>
#pragma once

#include "../../cudacpu/cub/block.h"
