// <thrust/scan.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
