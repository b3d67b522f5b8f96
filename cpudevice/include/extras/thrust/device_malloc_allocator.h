// <thrust/device_malloc_allocator.h>
#pragma once

#include "../cudacpu/thrust/vectors.h"
