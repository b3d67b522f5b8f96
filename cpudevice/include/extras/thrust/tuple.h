// <thrust/tuple.h>
#pragma once

#include "../cudacpu/thrust/functional.h"
