// <cub/config.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
