// <thrust/system/cuda/detail/par.h>, which programs include for thrust::cuda::par.
#pragma once

#include "../../../../cudacpu/thrust/execution.h"
