// <cub/warp/warp_scan.cuh>
#pragma once

#include "../../cudacpu/cub/warp.h"
