// <cub/cub.cuh>
#pragma once

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../cudacpu/cub/device.h"
