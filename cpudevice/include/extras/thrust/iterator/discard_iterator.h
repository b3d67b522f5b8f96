// <thrust/iterator/discard_iterator.h>
#pragma once

#include "../../cudacpu/thrust/iterators.h"
