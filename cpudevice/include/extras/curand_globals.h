// <curand_globals.h>
#pragma once

#include "curand_kernel.h"
