// <thrust/device_new.h>
#pragma once

#include "../cudacpu/thrust/vectors.h"
