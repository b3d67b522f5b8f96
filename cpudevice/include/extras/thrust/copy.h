// <thrust/copy.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
