// Programs include this header by name; all of it is in cudacpu/cufft.h.
#pragma once

#include "cudacpu/cufft.h"
