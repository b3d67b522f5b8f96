// <thrust/complex.h>
#pragma once

#include "../cudacpu/thrust/complex.h"
