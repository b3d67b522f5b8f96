// <thrust/tabulate.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
