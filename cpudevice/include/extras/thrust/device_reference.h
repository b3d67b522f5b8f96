// <thrust/device_reference.h>
#pragma once

#include "../cudacpu/thrust/pointer.h"
