// <thrust/fill.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
