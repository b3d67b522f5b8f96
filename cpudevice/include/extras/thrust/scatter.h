// <thrust/scatter.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
