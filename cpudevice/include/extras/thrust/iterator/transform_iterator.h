// <thrust/iterator/transform_iterator.h>
#pragma once

#include "../../cudacpu/thrust/iterators.h"
