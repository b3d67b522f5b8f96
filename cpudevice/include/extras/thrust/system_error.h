// <thrust/system_error.h>
#pragma once

#include "../cudacpu/thrust/functional.h"
