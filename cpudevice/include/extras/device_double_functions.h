// Programs include this header by name; all of it is in cuda_runtime.h.
#ifndef __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
