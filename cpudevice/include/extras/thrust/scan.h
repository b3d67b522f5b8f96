// <thrust/scan.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
