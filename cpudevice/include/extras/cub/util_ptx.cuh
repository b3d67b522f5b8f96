// <cub/util_ptx.cuh>
#pragma once

#include "../cudacpu/cub/thread.h"
