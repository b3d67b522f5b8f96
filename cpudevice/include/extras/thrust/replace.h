// <thrust/replace.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
