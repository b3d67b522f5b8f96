// <thrust/gather.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
