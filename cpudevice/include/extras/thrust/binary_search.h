// <thrust/binary_search.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
