// <thrust/device_delete.h>
#pragma once

#include "../cudacpu/thrust/vectors.h"
