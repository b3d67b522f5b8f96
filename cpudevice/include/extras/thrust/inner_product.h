// <thrust/inner_product.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
