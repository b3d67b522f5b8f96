// Programs include this header by name; all of it is in cudacpu/awbarrier.h.
#ifndef __CUDA_AWBARRIER_HELPERS_H__
#define __CUDA_AWBARRIER_HELPERS_H__
#include "cudacpu/awbarrier.h"
#endif
