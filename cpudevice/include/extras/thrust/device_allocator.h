// <thrust/device_allocator.h>
#pragma once

#include "../cudacpu/thrust/vectors.h"
