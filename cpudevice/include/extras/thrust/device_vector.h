// <thrust/device_vector.h>
#pragma once

#include "../cudacpu/thrust/vectors.h"
