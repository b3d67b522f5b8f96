// <thrust/complex.h>
#pragma once

#include "../cuda/version"
#include "../cudacpu/complex.h"
#include "version.h"
