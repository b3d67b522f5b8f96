// <thrust/transform.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
