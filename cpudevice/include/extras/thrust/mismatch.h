// <thrust/mismatch.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
