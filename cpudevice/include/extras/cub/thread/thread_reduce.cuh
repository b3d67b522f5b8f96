// <cub/thread/thread_reduce.cuh>
#pragma once

#include "../../cudacpu/cub/thread.h"
