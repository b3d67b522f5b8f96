// <thrust/extrema.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
