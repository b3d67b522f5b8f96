// <thrust/transform.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
