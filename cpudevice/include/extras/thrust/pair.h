// <thrust/pair.h>
#pragma once

#include "../cudacpu/thrust/functional.h"
