// <thrust/uninitialized_copy.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
