// <cub/util_temporary_storage.cuh>
#pragma once

#include "../cudacpu/cub/common.h"
