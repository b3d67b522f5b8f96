// <thrust/replace.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
