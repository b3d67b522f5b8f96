// <thrust/random/uniform_int_distribution.h>
#pragma once

#include "../../cudacpu/thrust/random.h"
