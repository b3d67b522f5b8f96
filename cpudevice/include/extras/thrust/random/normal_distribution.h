// <thrust/random/normal_distribution.h>
#pragma once

#include "../../cudacpu/thrust/random.h"
