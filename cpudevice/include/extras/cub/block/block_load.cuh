// <cub/block/block_load.cuh>
#pragma once

#include "../../cudacpu/cub/block.h"
