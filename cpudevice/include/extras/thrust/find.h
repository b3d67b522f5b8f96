// <thrust/find.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
