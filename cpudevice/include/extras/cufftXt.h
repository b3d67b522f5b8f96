// Programs include this header by name; all of it is in cudacpu/cufft_xt.h.
#pragma once

#include "cudacpu/cufft_xt.h"
