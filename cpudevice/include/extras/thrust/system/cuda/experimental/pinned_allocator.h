// <thrust/system/cuda/experimental/pinned_allocator.h>
#pragma once

#include "../../../../cudacpu/thrust/vectors.h"
