// <thrust/iterator/iterator_traits.h>
#pragma once

#include "../../cudacpu/thrust/iterators.h"
