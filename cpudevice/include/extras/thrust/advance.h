// <thrust/advance.h>
#pragma once

#include "../cudacpu/thrust/iterators.h"
