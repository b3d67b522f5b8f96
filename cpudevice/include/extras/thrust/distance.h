// <thrust/distance.h>
#pragma once

#include "../cudacpu/thrust/iterators.h"
