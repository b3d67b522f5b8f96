// <cub/block/block_scan.cuh>
#pragma once

#include "../../cudacpu/cub/block.h"
