// <cub/util_namespace.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
