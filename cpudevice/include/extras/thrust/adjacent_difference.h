// <thrust/adjacent_difference.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
