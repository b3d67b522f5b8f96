// <thrust/for_each.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
