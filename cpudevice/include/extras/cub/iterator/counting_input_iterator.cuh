// <cub/iterator/counting_input_iterator.cuh>
#pragma once

#include "../../cudacpu/cub/common.h"
