// Programs include this header by name; all of it is in cuda_runtime.h.
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__
#include "cuda_runtime.h"
#endif
