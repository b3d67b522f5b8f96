// <thrust/shuffle.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
