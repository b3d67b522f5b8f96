// <cub/block/block_exchange.cuh>
#pragma once

#include "../../cudacpu/cub/block.h"
