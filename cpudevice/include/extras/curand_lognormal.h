// <curand_lognormal.h>
#pragma once

#include "curand_kernel.h"
