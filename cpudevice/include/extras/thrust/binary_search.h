// <thrust/binary_search.h>
#pragma once

#include "../cudacpu/thrust/sorted_ranges.h"
