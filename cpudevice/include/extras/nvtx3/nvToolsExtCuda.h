// The same header by the name that toolkits since CUDA 10 give it.
#pragma once
#include "../nvToolsExtCuda.h"
