// <thrust/scatter.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
