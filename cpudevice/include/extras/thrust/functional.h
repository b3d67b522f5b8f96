// <thrust/functional.h>
#pragma once

#include "../cudacpu/thrust/functional.h"
