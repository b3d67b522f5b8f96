// <cub/block/block_run_length_decode.cuh>
#pragma once

#include "../../cudacpu/cub/block_run_length_decode.h"
