// <thrust/random/linear_congruential_engine.h>
#pragma once

#include "../../cudacpu/thrust/random.h"
