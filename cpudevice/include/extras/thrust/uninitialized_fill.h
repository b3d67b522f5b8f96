// <thrust/uninitialized_fill.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
