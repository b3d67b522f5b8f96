// <cub/block/block_shuffle.cuh>
#pragma once

#include "../../cudacpu/cub/block_shuffle.h"
