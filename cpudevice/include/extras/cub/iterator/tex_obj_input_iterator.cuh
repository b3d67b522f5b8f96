// <cub/iterator/tex_obj_input_iterator.cuh>
#pragma once

#include "../../cudacpu/cub/iterators.h"
