// <thrust/swap.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
