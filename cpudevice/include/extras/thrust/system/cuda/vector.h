// <thrust/system/cuda/vector.h>
#pragma once

#include "../../../cudacpu/thrust/vectors.h"
