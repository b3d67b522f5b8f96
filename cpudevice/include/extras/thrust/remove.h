// <thrust/remove.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
