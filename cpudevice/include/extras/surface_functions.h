// Programs include this header by name; all of it is in cuda_runtime.h.
#ifndef __SURFACE_FUNCTIONS_H__
#define __SURFACE_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
