// <cub/thread/thread_operators.cuh>
#pragma once

#include "../../cudacpu/cub/common.h"
