// <thrust/transform_reduce.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
