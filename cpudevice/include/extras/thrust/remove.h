// <thrust/remove.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
