// Programs include this header by name; all of it is in cuda_runtime.h.
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__
#include "cuda_runtime.h"
#endif
