// <thrust/system/cuda/error.h>
#pragma once

#include "../../../cudacpu/thrust/functional.h"
