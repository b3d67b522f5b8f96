// The header that names contexts and streams of the driver API: none of its functions is offered,
// as there are no contexts.
#pragma once
#include "cuda.h"
#include "nvToolsExt.h"
