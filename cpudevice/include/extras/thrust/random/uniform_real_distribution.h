// <thrust/random/uniform_real_distribution.h>
#pragma once

#include "../../cudacpu/thrust/random.h"
