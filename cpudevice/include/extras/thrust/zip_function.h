// <thrust/zip_function.h>
#pragma once

#include "../cudacpu/thrust/iterators.h"
