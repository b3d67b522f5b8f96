// <curand_uniform.h>
#pragma once

#include "curand_kernel.h"
