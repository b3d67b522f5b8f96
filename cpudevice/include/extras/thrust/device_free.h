// <thrust/device_free.h>
#pragma once

#include "../cudacpu/thrust/pointer.h"
