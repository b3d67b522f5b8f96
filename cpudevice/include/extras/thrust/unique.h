// <thrust/unique.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
