// The same header by its older name.
#pragma once
#include "nvtx3/nvToolsExtCudaRt.h"
