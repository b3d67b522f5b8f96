// <thrust/reverse.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
