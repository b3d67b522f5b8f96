// Programs include this header by name; all of it is in cuda_runtime.h.
#ifndef __SM_35_ATOMIC_FUNCTIONS_H__
#define __SM_35_ATOMIC_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
