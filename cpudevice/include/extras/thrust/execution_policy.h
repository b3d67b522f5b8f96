// <thrust/execution_policy.h>
#pragma once

#include "../cudacpu/thrust/execution.h"
