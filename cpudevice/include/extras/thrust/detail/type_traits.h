// <thrust/detail/type_traits.h>
#pragma once

#include "../../cudacpu/thrust/execution.h"
