// <thrust/complex.h>
#pragma once

#include "../cudacpu/complex.h"
