// <cub/block/block_store.cuh>
#pragma once

#include "../../cudacpu/cub/block.h"
