// <thrust/reverse.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
