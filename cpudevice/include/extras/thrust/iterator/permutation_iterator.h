// <thrust/iterator/permutation_iterator.h>
#pragma once

#include "../../cudacpu/thrust/iterators.h"
