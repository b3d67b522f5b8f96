// <thrust/detail/raw_pointer_cast.h>
#pragma once

#include "../../cudacpu/thrust/pointer.h"
