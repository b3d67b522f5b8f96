// <thrust/random.h>
#pragma once

#include "../cudacpu/thrust/random.h"
