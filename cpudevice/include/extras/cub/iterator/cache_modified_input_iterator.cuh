// <cub/iterator/cache_modified_input_iterator.cuh>
#pragma once

#include "../../cudacpu/cub/iterators.h"
