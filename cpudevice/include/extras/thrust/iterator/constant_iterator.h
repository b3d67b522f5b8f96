// <thrust/iterator/constant_iterator.h>
#pragma once

#include "../../cudacpu/thrust/iterators.h"
