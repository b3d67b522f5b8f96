// <thrust/count.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
