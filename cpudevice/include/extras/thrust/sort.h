// <thrust/sort.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
