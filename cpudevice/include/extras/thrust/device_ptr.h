// <thrust/device_ptr.h>
#pragma once

#include "../cudacpu/thrust/pointer.h"
