// <thrust/unique.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
