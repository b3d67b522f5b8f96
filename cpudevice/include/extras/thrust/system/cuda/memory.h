// <thrust/system/cuda/memory.h>
#pragma once

#include "../../../cudacpu/thrust/allocators.h"
