// <thrust/gather.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
