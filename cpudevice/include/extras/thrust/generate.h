// <thrust/generate.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
