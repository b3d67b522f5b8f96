// <thrust/equal.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
