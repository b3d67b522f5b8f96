// <thrust/iterator/counting_iterator.h>
#pragma once

#include "../../cudacpu/thrust/iterators.h"
