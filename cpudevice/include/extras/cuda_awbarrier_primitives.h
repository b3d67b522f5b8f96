// Programs include this header by name; all of it is in cudacpu/awbarrier.h.
#ifndef __CUDA_AWBARRIER_PRIMITIVES_H__
#define __CUDA_AWBARRIER_PRIMITIVES_H__
#include "cudacpu/awbarrier.h"
#endif
