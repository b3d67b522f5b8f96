// <cub/block/block_discontinuity.cuh>
#pragma once

#include "../../cudacpu/cub/block_discontinuity.h"
