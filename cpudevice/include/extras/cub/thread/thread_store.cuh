// <cub/thread/thread_store.cuh>
#pragma once

#include "../../cudacpu/cub/thread.h"
