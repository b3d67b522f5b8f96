// <thrust/universal_vector.h>
#pragma once

#include "../cudacpu/thrust/vectors.h"
