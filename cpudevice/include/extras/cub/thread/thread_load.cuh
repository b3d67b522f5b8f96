// <cub/thread/thread_load.cuh>
#pragma once

#include "../../cudacpu/cub/thread.h"
