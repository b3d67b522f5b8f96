// <cub/iterator/arg_index_input_iterator.cuh>
#pragma once

#include "../../cudacpu/cub/iterators.h"
