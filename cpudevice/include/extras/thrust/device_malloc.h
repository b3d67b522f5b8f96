// <thrust/device_malloc.h>
#pragma once

#include "../cudacpu/thrust/pointer.h"
