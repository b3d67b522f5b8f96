// <thrust/iterator/reverse_iterator.h>
#pragma once

#include "../../cudacpu/thrust/iterators.h"
