// <thrust/sort.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
