// <thrust/generate.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
