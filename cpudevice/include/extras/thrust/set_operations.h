// <thrust/set_operations.h>
#pragma once

#include "../cudacpu/thrust/sorted_ranges.h"
