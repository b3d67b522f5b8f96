// <curand_normal.h>
#pragma once

#include "curand_kernel.h"
