// <thrust/memory.h>
#pragma once

#include "../cudacpu/thrust/pointer.h"
