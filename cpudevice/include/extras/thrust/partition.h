// <thrust/partition.h>
#pragma once

#include "../cudacpu/thrust/selections.h"
