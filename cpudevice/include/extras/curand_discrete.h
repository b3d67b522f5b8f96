// <curand_discrete.h>
#pragma once

#include "curand_kernel.h"
