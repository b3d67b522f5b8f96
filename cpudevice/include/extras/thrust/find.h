// <thrust/find.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
