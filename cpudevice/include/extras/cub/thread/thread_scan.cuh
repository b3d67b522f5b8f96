// <cub/thread/thread_scan.cuh>
#pragma once

#include "../../cudacpu/cub/thread.h"
