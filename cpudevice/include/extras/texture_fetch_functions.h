// Programs include this header by name; all of it is in cuda_runtime.h.
#ifndef __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
