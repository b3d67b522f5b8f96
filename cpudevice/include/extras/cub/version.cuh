// <cub/version.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
