// <thrust/merge.h>
#pragma once

#include "../cudacpu/thrust/sorted_ranges.h"
