// <thrust/iterator/tabulate_output_iterator.h>
#pragma once

#include "../../cudacpu/thrust/output_iterators.h"
