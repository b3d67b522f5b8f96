// <thrust/sequence.h>
#pragma once

#include "../cudacpu/thrust/algorithms.h"
