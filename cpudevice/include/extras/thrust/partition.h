// <thrust/partition.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
