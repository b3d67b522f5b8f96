// <curand_poisson.h>
#pragma once

#include "curand_kernel.h"
