// Programs include this header by name; all of it is in cuda_runtime.h.
#ifndef __CUDA_TEXTURE_TYPES_H__
#define __CUDA_TEXTURE_TYPES_H__
#include "cuda_runtime.h"
#endif
