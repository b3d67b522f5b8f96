// <thrust/reduce.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
