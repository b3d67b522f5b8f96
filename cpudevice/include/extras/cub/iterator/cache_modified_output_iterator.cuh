// <cub/iterator/cache_modified_output_iterator.cuh>
#pragma once

#include "../../cudacpu/cub/iterators.h"
