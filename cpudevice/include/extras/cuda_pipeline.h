// Programs include this header by name; all of it is in cuda_pipeline_primitives.h.
#ifndef __CUDA_PIPELINE_H__
#define __CUDA_PIPELINE_H__
#include "cuda_pipeline_primitives.h"
#endif
