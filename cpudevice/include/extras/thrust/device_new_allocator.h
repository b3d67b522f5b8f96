// <thrust/device_new_allocator.h>
#pragma once

#include "../cudacpu/thrust/vectors.h"
