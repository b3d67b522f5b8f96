// <thrust/logical.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
