// <thrust/system/cuda/execution_policy.h>
#pragma once

#include "../../../cudacpu/thrust/execution.h"
